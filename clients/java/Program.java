// Calls the service through a client that openapi-generator made. Arguments: the address, and requests.json.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import tangent.ApiClient;
import tangent.ApiException;
import tangent.api.*;
import tangent.model.*;

public class Program {
  interface Call {
    Object make() throws ApiException;
  }

  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(arguments[0]);
    ObjectMapper json = client.getObjectMapper();
    JsonNode asked = json.readTree(Files.readString(Path.of(arguments[1])));
    PairsApi pairs = new PairsApi(client);

    ContactResponse contact = pairs.contact(json.treeToValue(asked.get("contact"), ContactRequest.class), null);
    expect(contact.getSeparation() == -0.125 && contact.getTranslation().getY() == 0.125, contact);

    for (int times = 0; times < 2; times++) {
      ContactResponse kept = askAboutKept(client, asked);
      expect(kept.getSeparation() == -0.125, kept);
    }

    RayCastRequest ray = json.treeToValue(asked.get("rayCast"), RayCastRequest.class);
    RayHit hit = new RaysApi(client).rayCast(ray, null).getHits().get(0);
    expect(hit.getDistance() == 4.5 && hit.getExit().getDistance() == 5.5, hit);

    TimeOfImpactRequest motion = json.treeToValue(asked.get("timeOfImpact"), TimeOfImpactRequest.class);
    TimeOfImpactResponse impact = new MotionApi(client).timeOfImpact(motion, null);
    expect(impact.getTime() == 0.5, impact);

    BatchRequest batch = json.treeToValue(asked.get("batch"), BatchRequest.class);
    var results = new ManyApi(client).batch(batch, null).getResults();
    expect(results.get(0).getDistanceResult().getDistance() == 2, results);
    expect(results.get(1).getProblemResult().getCode().getValue().equals("coordinate-out-of-range"), results);
    expect(results.get(2).getTableResult().getMeasure().getValue().equals("distance"), results);

    Contact3dRequest inSpace = json.treeToValue(asked.get("contact3d"), Contact3dRequest.class);
    Contact3dResponse contact3d = new Pairs3dApi(client).contact3d(inSpace, null);
    expect(contact3d.getSeparation() == -0.125, contact3d);
    expect(contact3d.getTranslation().getY() == 0.125, contact3d);

    Batch3dRequest batch3d = json.treeToValue(asked.get("batch3d"), Batch3dRequest.class);
    var results3d = new Many3dApi(client).batch3d(batch3d, null).getResults();
    expect(results3d.get(0).getDistance3dResult().getPointB().getX() == 2, results3d);
    expect(results3d.get(1).getProblemResult().getCode().getValue().equals("coordinate-out-of-range"), results3d);

    Shapes3dApi shapes = new Shapes3dApi(client);
    for (JsonNode given : asked.get("shapes3d")) {
      Shape3d shape = json.treeToValue(given, Shape3d.class);
      expect(json.valueToTree(shape).get("type").equals(given.get("type")), shape);
      expect(shapes.validate3d(new Validate3dRequest().shape(shape), null).getValid(), shape);
    }

    ScenesApi scenes = new ScenesApi(client);
    SceneBodiesApi bodies = new SceneBodiesApi(client);
    scenes.putScene("java", new SceneRequest().name("Cellar"), null, null);
    int index = 0;
    for (JsonNode shape : asked.get("shapes")) {
      String id = "body-" + index++;
      SceneBodyRequest body = new SceneBodyRequest().shape(json.treeToValue(shape, Shape2d.class));
      bodies.putSceneBody("java", id, body, null, null);
      Shape2d found = bodies.getSceneBody("java", id, null, null, null, null).getBody().getShape();
      expect(found.equals(body.getShape()), found);
    }
    SceneBodyPatch patch = new SceneBodyPatch().position(new Vec2().x(1.0).y(2.0));
    expect(bodies.patchSceneBody("java", "body-0", patch, null, null).getBody().getPosition().getY() == 2, patch);

    expectProblem(412, "", () -> scenes.putScene("java", new SceneRequest().name("Attic"), "\"1\"", null));
    ContactRequest far = json.treeToValue(asked.get("outOfRange"), ContactRequest.class);
    expectProblem(422, "coordinate-out-of-range", () -> pairs.contact(far, null));

    scenes.deleteScene("java", null, null);
    System.out.println("ok");
  }

  /** Asks about a kept shape. One that is not kept, or not any more, is sent, and asked about again. */
  static ContactResponse askAboutKept(ApiClient client, JsonNode asked) throws Exception {
    ObjectMapper json = client.getObjectMapper();
    PairsApi pairs = new PairsApi(client);
    ContactRequest question = json.treeToValue(asked.get("keptContact"), ContactRequest.class);
    try {
      return pairs.contact(question, null);
    } catch (ApiException error) {
      JsonNode problem = json.readTree(error.getResponseBody());
      if (!problem.path("code").asText().equals("shape-unknown")) throw error;
      KeptShape kept = new KeptShapesApi(client).keepShape(json.treeToValue(asked.get("keptShape"), Shape2d.class));
      expect(kept.getId().equals(problem.get("shape").asText()), kept);
      return pairs.contact(question, null);
    }
  }

  static void expect(boolean holds, Object what) {
    if (!holds) throw new AssertionError(what);
  }

  static void expectProblem(int status, String code, Call call) {
    try {
      call.make();
    } catch (ApiException problem) {
      expect(problem.getCode() == status && problem.getResponseBody().contains(code), problem);
      return;
    }
    throw new AssertionError("expected " + status);
  }
}
