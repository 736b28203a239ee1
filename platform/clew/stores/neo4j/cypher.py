"""What changes a graph in Neo4j; every node has the `$scope` of its conversation.

Composite indexes are used only where all their properties are asked about, hence conditions
that a property is there at all.

A growing database makes the planner think again every few seconds, which took as long as the
work: what is done often starts from an index, whatever is stored, and is planned once.
"""

from typing import get_args

from clew.model import EdgeKind

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
BEGIN = """CYPHER replan=skip
MERGE (memory:Memory {scope: $scope}) ON CREATE SET memory.version = 0
SET memory.space = $space, memory.conversation = $conversation
WITH memory, memory.version AS version, memory.token AS token
FOREACH (_ IN CASE WHEN version = $version THEN [1] ELSE [] END |
    SET memory.version = $version + 1, memory.token = $token
)
RETURN version, token
"""  # the first SET takes the lock, so what is read after it is the latest

# --- writing, each for many `$rows`

SET = """CYPHER replan=skip
UNWIND $rows AS row
MERGE (n:Setting {scope: $scope, name: row.name})
SET n.conversation = $conversation, n.value = row.value
"""
PUT_MESSAGES = """CYPHER replan=skip
UNWIND $rows AS row
MERGE (m:Message {scope: $scope, id: row.id})
WITH m, row WHERE m.position IS NULL
SET m += row.properties, m.said_at = datetime(row.said_at)
"""
PUT_ENTITIES = """CYPHER replan=skip
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
PUT_UNITS = """CYPHER replan=skip
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
LINK = {  # by kind: one given as a parameter is looked for among all relationships there are
    kind: f"""CYPHER replan=skip
UNWIND $rows AS row
MATCH (a:Unit {{scope: $scope, id: row.source}})
MATCH (b:Unit {{scope: $scope, id: row.target}})
MERGE (a)-[edge:{kind}]->(b)
SET edge.weight = row.weight
RETURN count(*)
"""
    for kind in get_args(EdgeKind)
}
LINKS = frozenset(LINK.values())
RECORD = """CYPHER replan=skip
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
MATCH (m:Message {scope: $scope, id: id})<-[:EVIDENCE]-(u:Unit) USING INDEX m:Message(scope, id)
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
WHERE d.op IN ['ADD', 'MERGE', 'SUPERSEDE', 'ABSTRACT', 'ARCHIVE', 'RELATE', 'DROP']
    AND any(id IN d.targets WHERE id IN $ids)
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
