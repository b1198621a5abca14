// Calls the service through a client that openapi-generator made. Arguments: the address, and requests.json.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"

	tangent "github.com/GIT_USER_ID/GIT_REPO_ID"
)

type requests struct {
	Contact      tangent.ContactRequest
	KeptShape    tangent.Shape2d
	KeptContact  tangent.ContactRequest
	OutOfRange   tangent.ContactRequest
	RayCast      tangent.RayCastRequest
	TimeOfImpact tangent.TimeOfImpactRequest
	Batch        tangent.BatchRequest
	Shapes       []tangent.Shape2d
}

func need(err error) {
	if err != nil {
		panic(err)
	}
}

func expect(holds bool, what any) {
	if !holds {
		panic(fmt.Sprintf("unexpected: %+v", what))
	}
}

// Asks about a kept shape. One that is not kept, or not any more, is sent, and asked about again.
func askAboutKept(ctx context.Context, client *tangent.APIClient, asked requests) *tangent.ContactResponse {
	question := client.PairsAPI.Contact(ctx).ContactRequest(asked.KeptContact)
	answer, _, err := question.Execute()
	if err == nil {
		return answer
	}
	var problem struct{ Code, Shape string }
	need(json.Unmarshal(err.(*tangent.GenericOpenAPIError).Body(), &problem))
	expect(problem.Code == "shape-unknown", problem)
	kept, _, err := client.KeptShapesAPI.KeepShape(ctx).Shape2d(asked.KeptShape).Execute()
	need(err)
	expect(kept.Id == problem.Shape, kept)
	answer, _, err = question.Execute()
	need(err)
	return answer
}

func main() {
	text, err := os.ReadFile(os.Args[2])
	need(err)
	var asked requests
	need(json.Unmarshal(text, &asked))
	var plain struct{ Shapes []any }
	need(json.Unmarshal(text, &plain))

	configuration := tangent.NewConfiguration()
	configuration.Servers = tangent.ServerConfigurations{{URL: os.Args[1]}}
	client := tangent.NewAPIClient(configuration)
	ctx := context.Background()

	contact, _, err := client.PairsAPI.Contact(ctx).ContactRequest(asked.Contact).Execute()
	need(err)
	expect(*contact.Separation.Get() == -0.125 && contact.Translation.Get().Y == 0.125, contact)

	for range []string{"sent", "known"} {
		kept := askAboutKept(ctx, client, asked)
		expect(*kept.Separation.Get() == -0.125, kept)
	}

	cast, _, err := client.RaysAPI.RayCast(ctx).RayCastRequest(asked.RayCast).Execute()
	need(err)
	expect(cast.Hits[0].Distance == 4.5 && cast.Hits[0].Exit.Get().Distance == 5.5, cast)

	impact, _, err := client.MotionAPI.TimeOfImpact(ctx).TimeOfImpactRequest(asked.TimeOfImpact).Execute()
	need(err)
	expect(*impact.Time.Get() == 0.5 && impact.Status == "converged", impact)

	batch, _, err := client.ManyAPI.Batch(ctx).BatchRequest(asked.Batch).Execute()
	need(err)
	expect(batch.Results[0].DistanceResult.Distance == 2, batch)
	expect(batch.Results[1].ProblemResult.Code == "coordinate-out-of-range", batch)
	expect(batch.Results[2].TableResult.Values[0][0] == 5.0, batch)

	scenes, bodies := client.ScenesAPI, client.SceneBodiesAPI
	_, _, err = scenes.PutScene(ctx, "go").SceneRequest(*tangent.NewSceneRequest()).Execute()
	need(err)
	for i, shape := range asked.Shapes {
		id := fmt.Sprintf("body-%d", i)
		_, _, err = bodies.PutSceneBody(ctx, "go", id).SceneBodyRequest(*tangent.NewSceneBodyRequest(shape)).Execute()
		need(err)
		answer, _, err := bodies.GetSceneBody(ctx, "go", id).Execute()
		need(err)
		expect(reflect.DeepEqual(answer.Body.Shape, shape), answer)
		again, err := json.Marshal(answer.Body.Shape)
		need(err)
		var value any
		need(json.Unmarshal(again, &value))
		expect(reflect.DeepEqual(value, plain.Shapes[i]), string(again))
	}
	patch := tangent.NewSceneBodyPatch()
	patch.SetPosition(*tangent.NewVec2(1, 2))
	patched, _, err := bodies.PatchSceneBody(ctx, "go", "body-0").SceneBodyPatch(*patch).Execute()
	need(err)
	expect(patched.Body.Position.Y == 2, patched)

	_, response, err := scenes.PutScene(ctx, "go").SceneRequest(*tangent.NewSceneRequest()).IfMatch(`"1"`).Execute()
	expect(err != nil && response.StatusCode == 412, response)
	_, response, err = client.PairsAPI.Contact(ctx).ContactRequest(asked.OutOfRange).Execute()
	expect(err != nil && response.StatusCode == 422, response)
	problem := string(err.(*tangent.GenericOpenAPIError).Body())
	expect(strings.Contains(problem, "coordinate-out-of-range"), problem)

	_, err = scenes.DeleteScene(ctx, "go").Execute()
	need(err)
	fmt.Println("ok")
}
