//! Calls the service through a client that openapi-generator made. Arguments: the address, and requests.json.

use serde_json::Value;
use tangent_client::apis::{configuration::Configuration, kept_shapes_api, many_api, motion_api, pairs_api, rays_api};
use tangent_client::apis::{scene_bodies_api as bodies, scenes_api as scenes, Error};
use tangent_client::models;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(run())
}

fn read<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).expect("a request")
}

/// Asks about a kept shape. One that is not kept, or not any more, is sent, and asked about again.
async fn ask_about_kept(
    service: &Configuration,
    asked: &Value,
) -> Result<models::ContactResponse, Box<dyn std::error::Error>> {
    let problem: Value = match pairs_api::contact(service, read(&asked["keptContact"]), None).await {
        Ok(answer) => return Ok(answer),
        Err(Error::ResponseError(refused)) => serde_json::from_str(&refused.content)?,
        Err(error) => return Err(error.into()),
    };
    assert_eq!(problem["code"], "shape-unknown");
    let kept = kept_shapes_api::keep_shape(service, read(&asked["keptShape"])).await?;
    assert_eq!(problem["shape"], kept.id);
    Ok(pairs_api::contact(service, read(&asked["keptContact"]), None).await?)
}

async fn run() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let asked: Value = serde_json::from_str(&std::fs::read_to_string(&arguments[2])?)?;
    let mut configuration = Configuration::new();
    configuration.base_path = arguments[1].clone();
    let service = &configuration;

    let contact = pairs_api::contact(service, read(&asked["contact"]), None).await?;
    assert_eq!(contact.separation, Some(-0.125));
    assert_eq!(contact.translation.map(|vector| vector.y), Some(0.125));

    for _ in ["sent", "known"] {
        assert_eq!(ask_about_kept(service, &asked).await?.separation, Some(-0.125));
    }

    let cast = rays_api::ray_cast(service, read(&asked["rayCast"]), None).await?;
    assert_eq!(cast.hits[0].distance, 4.5);
    assert_eq!(cast.hits[0].exit.as_ref().map(|exit| exit.distance), Some(5.5));

    let impact = motion_api::time_of_impact(service, read(&asked["timeOfImpact"]), None).await?;
    assert_eq!(impact.time, Some(0.5));

    let results = many_api::batch(service, read(&asked["batch"]), None).await?.results;
    assert_eq!(results[0].op, models::batch_result::Op::Distance);
    assert_eq!(results[0].distance, Some(2.0));
    assert_eq!(results[1].op, models::batch_result::Op::Problem);
    assert!(results[1].code.is_some());
    assert_eq!(results[2].op, models::batch_result::Op::Table);

    scenes::put_scene(service, "rust", models::SceneRequest::new(), None, None).await?;
    for (index, shape) in asked["shapes"].as_array().unwrap().iter().enumerate() {
        let id = format!("body-{index}");
        let body = models::SceneBodyRequest::new(read(shape));
        bodies::put_scene_body(service, "rust", &id, body, None, None).await?;
        let found = bodies::get_scene_body(service, "rust", &id, None, None, None, None).await?;
        let again: models::Shape2d = read(shape);
        assert_eq!(*found.body.shape, again);
    }
    let mut patch = models::SceneBodyPatch::new();
    patch.position = Some(Some(Box::new(models::Vec2::new(1.0, 2.0))));
    let patched = bodies::patch_scene_body(service, "rust", "body-0", patch, None, None).await?;
    assert_eq!(patched.body.position.map(|vector| vector.y), Some(2.0));

    let stale = scenes::put_scene(service, "rust", models::SceneRequest::new(), Some("\"1\""), None).await;
    assert!(matches!(stale, Err(Error::ResponseError(problem)) if problem.status == 412));
    let refused = pairs_api::contact(service, read(&asked["outOfRange"]), None).await;
    assert!(matches!(refused, Err(Error::ResponseError(problem))
        if problem.status == 422 && problem.content.contains("coordinate-out-of-range")));

    scenes::delete_scene(service, "rust", None, None).await?;
    println!("ok");
    Ok(())
}
