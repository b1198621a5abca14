// The part of serde_with that generated clients use.

pub mod rust {
    pub mod double_option {
        use serde::{Deserialize, Deserializer, Serialize, Serializer};
        pub fn serialize<S: Serializer, T: Serialize>(value: &Option<Option<T>>, serializer: S) -> Result<S::Ok, S::Error> {
            match value { None => serializer.serialize_unit(), Some(inner) => inner.serialize(serializer) }
        }
        pub fn deserialize<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<Option<T>>, D::Error> {
            Option::deserialize(deserializer).map(Some)
        }
    }
}
