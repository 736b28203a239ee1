"""The statements of the Neo4j store; every node has the `$scope` of its conversation.

Composite indexes are used only where all their properties are asked about, and their order
only where all are named, hence conditions that a property is there at all and `ORDER BY` the
scope.
"""

UNIT = """[
    u.id, u.text, u.said, u.said_at.offsetSeconds, u.session, u.position, u.speaker,
    u.evidence, u.spans,
    u.starts.epochMillis * 1000 + u.starts.microsecond % 1000, u.starts.offsetSeconds,
    u.ends.epochMillis * 1000 + u.ends.microsecond % 1000, u.ends.offsetSeconds,
    u.precision, u.phrase, u.context, u.keywords, u.entities, u.place, u.facts, u.kind, u.level
]"""
LINE = """[
    d.seq, d.op, d.targets, d.scores, d.outcome, d.reason, d.about, d.merged,
    d.until.epochMillis * 1000 + d.until.microsecond % 1000, d.until.offsetSeconds
]"""

DATABASE = "CALL db.info() YIELD name RETURN name"

# --- a run's space

CONVERSATIONS = """
MATCH (memory:Memory {space: $space})
WHERE EXISTS { MATCH (n:Setting {scope: memory.scope}) WHERE n.name IS NOT NULL }
   OR EXISTS { MATCH (n:Message {scope: memory.scope}) WHERE n.id IS NOT NULL }
   OR EXISTS { MATCH (n:Unit {scope: memory.scope}) WHERE n.id IS NOT NULL }
   OR EXISTS { MATCH (n:Decision {scope: memory.scope}) WHERE n.seq IS NOT NULL }
RETURN memory.conversation
"""
SCOPES = "MATCH (memory:Memory {space: $space}) RETURN memory.scope"
_NODES = (
    *("MATCH (n:Setting {scope: $scope}) WHERE n.name IS NOT NULL",),
    *("MATCH (n:Decision {scope: $scope}) WHERE n.seq IS NOT NULL",),
    *("MATCH (n:Fact {scope: $scope}) WHERE n.id IS NOT NULL",),
    *("MATCH (n:Unit {scope: $scope}) WHERE n.id IS NOT NULL",),
    *("MATCH (n:Name {scope: $scope}) WHERE n.text IS NOT NULL",),
    *("MATCH (n:Entity {scope: $scope}) WHERE n.id IS NOT NULL",),
    *("MATCH (n:Message {scope: $scope}) WHERE n.id IS NOT NULL",),
)
CLEAR = tuple(f"{nodes} DETACH DELETE n" for nodes in _NODES)
EMPTY = (
    *(f"{nodes} CALL (n) {{ DETACH DELETE n }} IN TRANSACTIONS OF 1000 ROWS" for nodes in _NODES),
    "MATCH (memory:Memory {scope: $scope}) DELETE memory",
)

# --- one writer

KNOWN = """
OPTIONAL MATCH (memory:Memory {scope: $scope})
RETURN coalesce(memory.version, 0), COLLECT {
    MATCH (d:Decision {scope: $scope}) WHERE d.seq > 0
    RETURN d.seq ORDER BY d.scope DESC, d.seq DESC LIMIT 1
}
"""
BEGIN = """
MERGE (memory:Memory {scope: $scope}) ON CREATE SET memory.version = 0
SET memory.space = $space, memory.conversation = $conversation
WITH memory, memory.version AS version, memory.token AS token
FOREACH (_ IN CASE WHEN version = $version THEN [1] ELSE [] END |
    SET memory.version = $version + 1, memory.token = $token
)
RETURN version, token
"""  # the first SET takes the lock, so what is read after it is the latest

# --- writing, each for many `$rows`

SET = """
UNWIND $rows AS row
MERGE (n:Setting {scope: $scope, name: row.name})
SET n.conversation = $conversation, n.value = row.value
"""
PUT_MESSAGES = """
UNWIND $rows AS row
MERGE (m:Message {scope: $scope, id: row.id})
WITH m, row WHERE m.position IS NULL
SET m += row.properties, m.said_at = datetime(row.said_at)
"""
PUT_ENTITIES = """
UNWIND $rows AS row
MERGE (e:Entity {scope: $scope, id: row.id})
SET e += row.properties
WITH e, row
CALL (e) {
    MATCH (e)-[named:NAMED]->(name:Name)
    DELETE named
    WITH name WHERE NOT EXISTS { (name)<-[:NAMED]-() }
    DELETE name
}
CALL (e, row) {
    UNWIND row.names AS text
    MERGE (name:Name {scope: $scope, text: text})
    ON CREATE SET name.conversation = $conversation
    MERGE (e)-[:NAMED]->(name)
}
"""
PUT_UNITS = """
UNWIND $rows AS row
MERGE (u:Unit {scope: $scope, id: row.id})
SET u = row.properties, u.said_at = datetime(row.said_at),
    u.starts = datetime(row.starts), u.ends = datetime(row.ends)
WITH u, row
CALL (u) { MATCH (u)-[part:EVIDENCE|MENTIONS]->() DELETE part }
CALL (u) { MATCH (u)-[:CLAIMS]->(f:Fact) DETACH DELETE f }
CALL (u, row) {
    UNWIND row.messages AS id
    MERGE (m:Message {scope: $scope, id: id})
    ON CREATE SET m.conversation = $conversation
    MERGE (u)-[:EVIDENCE]->(m)
}
CALL (u, row) {
    UNWIND row.entities AS id
    MERGE (e:Entity {scope: $scope, id: id})
    ON CREATE SET e.conversation = $conversation
    MERGE (u)-[:MENTIONS]->(e)
}
CALL (u, row) {
    UNWIND row.facts AS fact
    MERGE (f:Fact {scope: $scope, id: fact.id})
    SET f += fact
    MERGE (u)-[:CLAIMS]->(f)
}
"""
LINK = """
UNWIND $rows AS row
MATCH (a:Unit {scope: $scope, id: row.source})
MATCH (b:Unit {scope: $scope, id: row.target})
MERGE (a)-[edge:$(row.kind)]->(b)
SET edge.weight = row.weight
RETURN count(*)
"""
RECORD = """
UNWIND $rows AS row
MERGE (d:Decision {scope: $scope, seq: row.seq})
SET d += row.properties, d.until = datetime(row.until)
WITH d WHERE d.about IS NOT NULL
MATCH (u:Unit {scope: $scope, id: d.about})
MERGE (d)-[:ABOUT]->(u)
"""

# --- forgetting

OWN = """
UNWIND $ids AS id
MATCH (m:Message {scope: $scope, id: id})<-[:EVIDENCE]-(u:Unit)
RETURN DISTINCT u.id
"""
SAID_AROUND = """
MATCH (u:Unit {scope: $scope})
WHERE u.id IS NOT NULL AND any(text IN $texts WHERE u.context CONTAINS text)
RETURN u.id
"""
MENTIONED_BY = """
UNWIND $ids AS id
MATCH (u:Unit {scope: $scope, id: id})-[:MENTIONS]->(e:Entity)
RETURN DISTINCT e.id
"""
REMERGE = """
UNWIND $rows AS row
MATCH (d:Decision {scope: $scope, seq: row.seq})
SET d.merged = row.merged
"""
UNRECORD = """
UNWIND $seqs AS seq
MATCH (d:Decision {scope: $scope, seq: seq})
DETACH DELETE d
"""
UNRECORD_UNITS = """
MATCH (d:Decision {scope: $scope})
WHERE d.op IN ['ADD', 'MERGE', 'SUPERSEDE', 'DROP'] AND any(id IN d.targets WHERE id IN $ids)
DETACH DELETE d
"""
UNITS_GO = """
UNWIND $ids AS id
MATCH (u:Unit {scope: $scope, id: id})
OPTIONAL MATCH (u)-[:CLAIMS]->(f:Fact)
DETACH DELETE f, u
"""
MESSAGES_GO = """
UNWIND $ids AS id
MATCH (m:Message {scope: $scope, id: id})
DETACH DELETE m
"""
UNMENTIONED_GO = """
UNWIND $ids AS id
MATCH (e:Entity {scope: $scope, id: id}) WHERE NOT EXISTS { (e)<-[:MENTIONS]-() }
CALL (e) {
    MATCH (e)-[named:NAMED]->(name:Name)
    DELETE named
    WITH name WHERE NOT EXISTS { (name)<-[:NAMED]-() }
    DELETE name
}
DETACH DELETE e
"""

# --- reading

SETTING = "MATCH (n:Setting {scope: $scope, name: $name}) RETURN n.value"
GET = f"UNWIND $ids AS id MATCH (u:Unit {{scope: $scope, id: id}}) RETURN {UNIT}"
PLACES = """
MATCH (u:Unit {scope: $scope}) WHERE u.position IS NOT NULL AND u.id IS NOT NULL
RETURN u.position, u.id
"""
SESSION = """
MATCH (u:Unit {scope: $scope, session: $session}) RETURN u.position, u.id
"""
BY_TIME = "USING INDEX u:Unit(scope, said, position, id)"  # few units mislead the planner
LATEST = f"""
MATCH (u:Unit {{scope: $scope}}) {BY_TIME}
WHERE u.said IS NOT NULL AND u.position IS NOT NULL AND u.id IS NOT NULL
RETURN {UNIT} ORDER BY u.scope DESC, u.said DESC, u.position DESC, u.id DESC LIMIT $n
"""
BETWEEN = f"""
MATCH (u:Unit {{scope: $scope}}) {BY_TIME}
WHERE $start <= u.said <= $end AND u.position IS NOT NULL AND u.id IS NOT NULL
RETURN {UNIT} ORDER BY u.scope, u.said, u.position, u.id LIMIT $n
"""
OCCUPIED = f"""
UNWIND $spans AS span
RETURN span[0], EXISTS {{
    MATCH (u:Unit {{scope: $scope}}) {BY_TIME}
    WHERE span[1] <= u.said <= span[2] AND u.position IS NOT NULL AND u.id IS NOT NULL
}}
"""
MENTIONING = f"""
UNWIND $ids AS id
MATCH (e:Entity {{scope: $scope, id: id}})<-[:MENTIONS]-(u:Unit)
WITH DISTINCT u
RETURN {UNIT} ORDER BY u.position, u.id
"""
CLAIMING = f"""
MATCH (f:Fact {{scope: $scope}})<-[:CLAIMS]-(u:Unit)
WHERE f.id IS NOT NULL AND ($property IS NULL OR f.property = $property)
WITH DISTINCT u
RETURN {UNIT} ORDER BY u.position, u.id
"""
CLAIMING_OF = f"""
MATCH (f:Fact {{scope: $scope, subject: $subject}})<-[:CLAIMS]-(u:Unit)
WHERE f.property IS NOT NULL AND ($property IS NULL OR f.property = $property)
WITH DISTINCT u
RETURN {UNIT} ORDER BY u.position, u.id
"""
MESSAGES = """
MATCH (m:Message {scope: $scope})
WHERE m.position IS NOT NULL AND m.id IS NOT NULL
RETURN m.id, m.session, m.position, m.speaker, m.text,
    m.said_at.epochMillis * 1000 + m.said_at.microsecond % 1000, m.said_at.offsetSeconds, m.caption
ORDER BY m.position, m.id
"""
SPEAKERS = """
MATCH (m:Message {scope: $scope})
WHERE m.position IS NOT NULL AND m.id IS NOT NULL
RETURN m.speaker, min(m.position)
"""
ENTITIES = """
MATCH (e:Entity {scope: $scope})
WHERE e.id IS NOT NULL AND e.name IS NOT NULL
RETURN e.id, e.name, e.type, e.aliases
"""
NAMED = """
MATCH (:Name {scope: $scope, text: $folded})<-[:NAMED]-(e:Entity)
RETURN e.id, e.name, e.type, e.aliases
"""
EDGES = """
UNWIND $ids AS id
MATCH (:Unit {scope: $scope, id: id})-[edge]-(:Unit)
WHERE type(edge) IN $kinds
WITH DISTINCT edge
RETURN startNode(edge).id, endNode(edge).id, type(edge), edge.weight
"""
ALL_EDGES = """
MATCH (u:Unit {scope: $scope})-[edge]->(other:Unit|Entity)
WHERE u.id IS NOT NULL
RETURN u.id, other.id, type(edge), coalesce(edge.weight, 1.0)
"""
STAMPS = """
MATCH (u:Unit {scope: $scope}) WHERE u.id IS NOT NULL
RETURN u.id, u.stamp
"""
LINES = f"""
MATCH (d:Decision {{scope: $scope}}) WHERE d.seq > 0
RETURN {LINE} ORDER BY d.seq
"""
LINES_OF = f"""
MATCH (d:Decision {{scope: $scope}}) WHERE d.op IN $ops
RETURN {LINE} ORDER BY d.seq
"""
ABOUT = f"""
UNWIND $ids AS id
MATCH (d:Decision {{scope: $scope, about: id}})
RETURN {LINE} ORDER BY d.seq
"""
ALL_ABOUT = f"""
MATCH (d:Decision {{scope: $scope}}) WHERE d.about IS NOT NULL
RETURN {LINE} ORDER BY d.seq
"""
