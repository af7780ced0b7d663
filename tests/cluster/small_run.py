"""A run of 60 shards that takes some seconds."""

WORDS = ("black-hole", "1..1500", "--search", "reference", "--limit", "40000", "--shard-size", "25")
