"""What a graph in Neo4j is asked: see cypher.py for the `$scope`, conditions and plans.

Where rows come in an index's order, `ORDER BY` names all its properties, the scope too, and the
index is named, because few rows mislead the planner.
"""

UNIT = """[
    u.id, u.text, u.said, u.said_at.offsetSeconds, u.session, u.position, u.speaker,
    u.evidence, u.spans,
    u.starts.epochMillis * 1000 + u.starts.microsecond % 1000, u.starts.offsetSeconds,
    u.ends.epochMillis * 1000 + u.ends.microsecond % 1000, u.ends.offsetSeconds,
    u.precision, u.phrase, u.context, u.keywords, u.entities, u.place, u.facts, u.kind, u.level,
    coalesce(u.spaces, [])
]"""
LINE = """[
    d.seq, d.op, d.targets, d.scores, d.outcome, d.reason, d.about, d.merged,
    d.until.epochMillis * 1000 + d.until.microsecond % 1000, d.until.offsetSeconds
]"""

SETTING = "MATCH (n:Setting {scope: $scope, name: $name}) RETURN n.value"
GET = f"""CYPHER replan=skip
UNWIND $ids AS id
MATCH (u:Unit {{scope: $scope, id: id}})
RETURN {UNIT}
"""
PLACES = """
MATCH (u:Unit {scope: $scope}) WHERE u.position IS NOT NULL AND u.id IS NOT NULL
RETURN u.position, u.id
"""
SESSION = """CYPHER replan=skip
MATCH (u:Unit {scope: $scope, session: $session}) USING INDEX u:Unit(scope, session)
WHERE u.level = 0
RETURN u.position, u.id
"""
BY_TIME = "USING INDEX u:Unit(scope, said, position, id)"
LATEST = f"""CYPHER replan=skip
MATCH (u:Unit {{scope: $scope}}) {BY_TIME}
WHERE u.said IS NOT NULL AND u.position IS NOT NULL AND u.id IS NOT NULL
RETURN {UNIT} ORDER BY u.scope DESC, u.said DESC, u.position DESC, u.id DESC LIMIT $n
"""
BETWEEN = f"""CYPHER replan=skip
MATCH (u:Unit {{scope: $scope}}) {BY_TIME}
WHERE $start <= u.said <= $end AND u.position IS NOT NULL AND u.id IS NOT NULL
RETURN {UNIT} ORDER BY u.scope, u.said, u.position, u.id LIMIT $n
"""
OCCUPIED = f"""CYPHER replan=skip
UNWIND $spans AS span
RETURN span[0], EXISTS {{
    MATCH (u:Unit {{scope: $scope}}) {BY_TIME}
    WHERE span[1] <= u.said <= span[2] AND u.position IS NOT NULL AND u.id IS NOT NULL
}}
"""
MENTIONING = f"""CYPHER replan=skip
UNWIND $ids AS id
MATCH (e:Entity {{scope: $scope, id: id}})<-[:MENTIONS]-(u:Unit) USING INDEX e:Entity(scope, id)
WITH DISTINCT u
RETURN {UNIT} ORDER BY u.position, u.id
"""
CLAIMING = f"""
MATCH (f:Fact {{scope: $scope}})<-[:CLAIMS]-(u:Unit) USING INDEX f:Fact(scope, id)
WHERE f.id IS NOT NULL AND ($property IS NULL OR f.property = $property)
WITH DISTINCT u
RETURN {UNIT} ORDER BY u.position, u.id
"""
CLAIMING_OF = f"""CYPHER replan=skip
MATCH (f:Fact {{scope: $scope, subject: $subject}})<-[:CLAIMS]-(u:Unit)
USING INDEX f:Fact(scope, subject, property)
WHERE f.property IS NOT NULL AND ($property IS NULL OR f.property = $property)
WITH DISTINCT u
RETURN {UNIT} ORDER BY u.position, u.id
"""
MESSAGE = """m.id, m.session, m.position, m.speaker, m.text,
    m.said_at.epochMillis * 1000 + m.said_at.microsecond % 1000, m.said_at.offsetSeconds, m.caption
"""
MESSAGES = f"""
MATCH (m:Message {{scope: $scope}})
WHERE m.position IS NOT NULL AND m.id IS NOT NULL
RETURN {MESSAGE} ORDER BY m.position, m.id
"""
SAID_BEFORE = f"""CYPHER replan=skip
MATCH (m:Message {{scope: $scope}})
WHERE m.position < $position AND m.id IS NOT NULL
RETURN {MESSAGE} ORDER BY m.position DESC, m.id DESC LIMIT 1
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
NAMED = """CYPHER replan=skip
MATCH (n:Name {scope: $scope, text: $folded})<-[:NAMED]-(e:Entity) USING INDEX n:Name(scope, text)
RETURN e.id, e.name, e.type, e.aliases
"""
EDGES = """CYPHER replan=skip
UNWIND $ids AS id
MATCH (u:Unit {scope: $scope, id: id})-[edge]-(:Unit) USING INDEX u:Unit(scope, id)
WHERE type(edge) IN $kinds
WITH DISTINCT edge
RETURN collect([startNode(edge).id, endNode(edge).id, type(edge), edge.weight])
"""
ALL_EDGES = """
MATCH (u:Unit {scope: $scope})-[edge]->(other:Unit|Entity) USING INDEX u:Unit(scope, id)
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
ABOUT = f"""CYPHER replan=skip
UNWIND $ids AS id
MATCH (d:Decision {{scope: $scope, about: id}}) USING INDEX d:Decision(scope, about)
RETURN {LINE} ORDER BY d.seq
"""
ALL_ABOUT = f"""
MATCH (d:Decision {{scope: $scope}}) WHERE d.about IS NOT NULL
RETURN {LINE} ORDER BY d.seq
"""
