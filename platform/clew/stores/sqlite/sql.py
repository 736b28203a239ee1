"""The statements of the SQLite store; `:c` is the conversation."""

from clew.stores.rows import MESSAGE, UNIT
from clew.stores.sqlite.schema import TABLES

SETTING = "SELECT value FROM setting WHERE conversation = :c AND name = :name"
VERSION = "SELECT value FROM setting WHERE conversation = :c AND name = 'version'"
NEXT_VERSION = """
INSERT INTO setting VALUES (:c, 'version', '1')
ON CONFLICT DO UPDATE SET value = CAST(value AS INTEGER) + 1
"""
SET = "INSERT OR REPLACE INTO setting VALUES (:c, :name, :value)"
PUT_MESSAGE = f"""
INSERT OR IGNORE INTO message (conversation, {MESSAGE}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
PUT_UNIT = f"""
INSERT INTO unit (conversation, {UNIT}) VALUES ({", ".join("?" * 24)})
ON CONFLICT (conversation, id) DO UPDATE SET
    text = excluded.text, said_at = excluded.said_at, said_zone = excluded.said_zone,
    session = excluded.session, position = excluded.position, speaker = excluded.speaker,
    evidence = excluded.evidence, starts = excluded.starts, starts_zone = excluded.starts_zone,
    ends = excluded.ends, ends_zone = excluded.ends_zone, precision = excluded.precision,
    phrase = excluded.phrase, context = excluded.context, keywords = excluded.keywords,
    entities = excluded.entities, place = excluded.place, facts = excluded.facts,
    kind = excluded.kind, level = excluded.level, stamp = excluded.stamp,
    spaces = excluded.spaces
"""
PARTS_GO = (
    "DELETE FROM evidence WHERE conversation = ? AND unit = ?",
    "DELETE FROM mention WHERE conversation = ? AND unit = ?",
    "DELETE FROM fact WHERE conversation = ? AND unit = ?",
)
PUT_EVIDENCE = "INSERT OR IGNORE INTO evidence VALUES (?, ?, ?)"
PUT_MENTION = "INSERT OR IGNORE INTO mention VALUES (?, ?, ?)"
PUT_FACT = "INSERT INTO fact VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
PUT_ENTITY = """
INSERT INTO entity VALUES (:c, :id, :name, :type, :aliases)
ON CONFLICT DO UPDATE SET name = excluded.name, type = excluded.type, aliases = excluded.aliases
"""
ALIASES_GO = "DELETE FROM alias WHERE conversation = ? AND entity = ?"
PUT_ALIAS = "INSERT OR IGNORE INTO alias VALUES (?, ?, ?)"
LINK = "INSERT OR REPLACE INTO edge VALUES (?, ?, ?, ?, ?)"
GET = f"""
SELECT {UNIT} FROM unit
WHERE conversation = :c AND id IN (SELECT value FROM json_each(:ids))
"""
PAGE = f"""
SELECT {UNIT} FROM unit WHERE conversation = :c AND (position, id) > (:position, :id)
ORDER BY position, id LIMIT 500
"""
PREVIOUS = """
SELECT id FROM unit
WHERE conversation = :c AND session = :session AND level = 0
    AND (position, id) < (:position, :id)
ORDER BY position DESC, id DESC LIMIT 1
"""
LATEST = f"""
SELECT {UNIT} FROM unit WHERE conversation = :c
ORDER BY said_at DESC, position DESC, id DESC LIMIT :n
"""
BETWEEN = f"""
SELECT {UNIT} FROM unit WHERE conversation = :c AND said_at BETWEEN :start AND :end
ORDER BY said_at, position, id LIMIT :n
"""
MENTIONING = f"""
SELECT {UNIT} FROM unit WHERE conversation = :c AND id IN (
    SELECT m.unit FROM json_each(:ids) one
    CROSS JOIN mention m ON m.conversation = :c AND m.entity = one.value
) ORDER BY +position, id
"""
CLAIMING = f"""
SELECT {UNIT} FROM unit WHERE conversation = :c AND id IN (
    SELECT unit FROM fact WHERE conversation = :c AND (:property IS NULL OR property = :property)
) ORDER BY +position, id
"""
CLAIMING_OF = f"""
SELECT {UNIT} FROM unit WHERE conversation = :c AND id IN (
    SELECT unit FROM fact
    WHERE conversation = :c AND subject = :subject AND (:property IS NULL OR property = :property)
) ORDER BY +position, id
"""
MESSAGES = f"SELECT {MESSAGE} FROM message WHERE conversation = :c ORDER BY position, id"
SAID_BEFORE = f"""
SELECT {MESSAGE} FROM message WHERE conversation = :c AND position < :position
ORDER BY position DESC, id DESC LIMIT 1
"""
SPEAKERS = """
WITH RECURSIVE each_(name) AS (
    SELECT min(speaker) FROM message WHERE conversation = :c
    UNION ALL
    SELECT (SELECT min(speaker) FROM message WHERE conversation = :c AND speaker > name)
    FROM each_ WHERE name IS NOT NULL
)
SELECT name FROM each_ WHERE name IS NOT NULL ORDER BY (
    SELECT min(position) FROM message WHERE conversation = :c AND speaker = name
), name
"""
ENTITIES = "SELECT id, name, type, aliases FROM entity WHERE conversation = :c ORDER BY id"
NAMED = """
SELECT id, name, type, aliases FROM entity WHERE conversation = :c AND id IN (
    SELECT entity FROM alias WHERE conversation = :c AND folded = :folded
) ORDER BY id
"""
EDGES = """
SELECT source, target, kind, weight FROM edge
WHERE conversation = :c AND source IN (SELECT value FROM json_each(:ids))
    AND +kind IN (SELECT value FROM json_each(:kinds))
UNION
SELECT source, target, kind, weight FROM edge INDEXED BY edge_target
WHERE conversation = :c AND target IN (SELECT value FROM json_each(:ids))
    AND +kind IN (SELECT value FROM json_each(:kinds))
ORDER BY source, target, kind
"""
ALL_EDGES = """
SELECT source, target, kind, weight FROM edge WHERE conversation = :c
UNION ALL
SELECT unit, entity, 'MENTIONS', 1.0 FROM mention WHERE conversation = :c
ORDER BY 1, 2, 3
"""
STAMPS = "SELECT id, stamp FROM unit WHERE conversation = :c"
STAMPS_OF = f"{STAMPS} AND id IN (SELECT value FROM json_each(:ids))"
OWN = """
SELECT DISTINCT unit FROM evidence
WHERE conversation = :c AND message IN (SELECT value FROM json_each(:ids)) ORDER BY unit
"""
SAID_AROUND = """
SELECT id FROM unit WHERE conversation = :c
AND EXISTS (SELECT 1 FROM json_each(:texts) WHERE instr(unit.context, value) > 0)
"""
MENTIONED_BY = """
SELECT DISTINCT entity FROM mention
WHERE conversation = :c AND unit IN (SELECT value FROM json_each(:ids))
"""
UNITS_GO = "DELETE FROM unit WHERE conversation = :c AND id IN (SELECT value FROM json_each(:ids))"
MESSAGES_GO = """
DELETE FROM message WHERE conversation = :c AND id IN (SELECT value FROM json_each(:ids))
"""
UNMENTIONED_GO = """
DELETE FROM entity WHERE conversation = :c AND id IN (SELECT value FROM json_each(:ids))
AND NOT EXISTS (
    SELECT 1 FROM mention m WHERE m.conversation = entity.conversation AND m.entity = entity.id
)
"""
CHECKPOINT = "PRAGMA wal_checkpoint(TRUNCATE)"  # what is deleted leaves the log as well
CLEAR = (
    *(f"DELETE FROM {table} WHERE conversation = :c" for table in TABLES if table != "setting"),
    "DELETE FROM setting WHERE conversation = :c AND name <> 'version'",
)
