// Draws the evidence graph of one question: units where they were said on a time axis, those
// without a date in a lane of their own; kinds of units differ in shape and in colour.

const RADIUS = 11;
const ROOM = 2 * RADIUS + 5; // from the middle of one unit to that of the next
const SIDE = 40; // for edges that go round a pile
const DAY = 86400;

/** An outline for each role, around (0, 0). */
const SHAPES = {
  terminal: () => svg("circle", { class: "shape", r: RADIUS }),
  bridge: () => svg("path", { class: "shape", d: "M0 -14 L14 0 L0 14 L-14 0 Z" }),
  neighbour: () => svg("rect", { class: "shape", x: -10, y: -10, width: 20, height: 20 }),
  fact: () => svg("path", { class: "shape", d: "M0 -14 L14 10 L-14 10 Z" }),
  unit: () => svg("path", { class: "shape", d: "M-6 -11 H6 L12 0 L6 11 H-6 L-12 0 Z" }),
};

/** Return the graph of an entry with its legend, paths, and a place that tells of one unit. */
function evidence(entry, book) {
  const { drawing } = entry;
  const units = drawing.nodes.map((place, n) => unitOf(book, drawing, place, n));
  if (!units.length) return el("p", {}, "Nothing was retrieved, so there is no graph.");
  const told = el("div", { class: "told", "aria-live": "polite" }, el("p", { class: "about" }, "Choose a unit to read it: tap, click, or Tab and the arrow keys."));
  const place = el("div", { class: "graph" });
  const state = { unit: null, path: null };
  const show = () => light(place, drawing, state);
  const choose = (n) => {
    state.unit = n;
    told.replaceChildren(...unitText(units[n], drawing));
    show();
  };
  responsive(place, (width) => {
    const drawn = drawGraph(units, drawing, width, choose);
    queueMicrotask(show);
    return drawn;
  });
  const list = el("ul", { class: "units" }, ...units.map((unit, n) => el("li", {}, unitButton(unit, () => choose(n)))));
  return el("div", {},
    place,
    legend(units, drawing),
    told,
    paths(drawing, units, (n) => { state.path = n; show(); }),
    el("details", {}, el("summary", {}, `${units.length} units by rank`), list),
  );
}

function unitOf(book, drawing, place, n) {
  const node = book.nodes[place];
  return {
    ...node,
    rank: drawing.ranks[n],
    role: drawing.roles[n],
    words: node.text === null ? `${node.id} (its text is not kept)` : book.lines[node.text],
    packed: drawing.packed === null ? null : drawing.packed.includes(n),
    gold: drawing.gold.includes(n),
  };
}

/** Place units: along time, and beside each other where they would overlap. */
function placed(units, width) {
  const dated = units.filter((unit) => unit.at !== null);
  const [first, last] = [Math.min(...dated.map((u) => u.at)), Math.max(...dated.map((u) => u.at))];
  const wide = width - 2 * SIDE;
  const x = (at) => (first === last ? width / 2 : SIDE + (wide * (at - first)) / (last - first));
  const lanes = [];
  const spots = new Map();
  for (const unit of [...dated].sort((a, b) => a.at - b.at || a.position - b.position)) {
    let lane = lanes.findIndex((end) => x(unit.at) - end >= ROOM);
    if (lane < 0) lane = lanes.push(0) - 1;
    lanes[lane] = x(unit.at);
    spots.set(unit, { x: x(unit.at), lane });
  }
  const base = 30 + Math.max(0, lanes.length - 1) * ROOM;
  for (const spot of spots.values()) spot.y = base - spot.lane * ROOM;
  const undated = units.filter((unit) => unit.at === null);
  const row = Math.max(1, Math.floor((wide + ROOM) / ROOM));
  const below = dated.length ? base + 75 : 40;
  undated.forEach((unit, n) => spots.set(unit, { x: SIDE + (n % row) * ROOM, y: below + Math.floor(n / row) * ROOM }));
  const height = undated.length ? below + Math.ceil(undated.length / row) * ROOM : base + 48;
  return { spots, x, first, last, base, below, height, dated: dated.length, undated: undated.length };
}

function drawGraph(units, drawing, width, choose) {
  const plan = placed(units, width);
  const drawn = svg("svg", { width, height: plan.height, role: "group", "aria-label": `Evidence graph of ${units.length} units on a time axis` });
  if (plan.dated) drawn.append(axis(plan, width));
  if (plan.undated) drawn.append(svg("text", { class: "tick", x: 4, y: plan.below - 20, style: "text-anchor:start" }, "no date"));
  const onPath = new Set(drawing.paths.flat());
  drawing.edges.forEach((edge, n) => drawn.append(drawEdge(edge, n, units, plan.spots, onPath.has(n))));
  const order = [...units.keys()].sort((a, b) => plan.spots.get(units[a]).x - plan.spots.get(units[b]).x || a - b);
  const nodes = new Map();
  order.forEach((n, turn) => {
    const go = (step) => nodes.get(order[(turn + step + order.length) % order.length]).focus();
    const node = drawNode(units[n], plan.spots.get(units[n]), turn ? -1 : 0, () => choose(n), go);
    node.dataset.unit = n;
    nodes.set(n, node);
    drawn.append(node);
  });
  return drawn;
}

function drawNode(unit, spot, tabindex, choose, go) {
  const keys = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  const node = svg("g", {
    class: `node ${unit.role}${unit.packed === false ? "" : " packed"}`, transform: `translate(${spot.x} ${spot.y})`,
    role: "button", tabindex, "aria-label": label(unit), onclick: choose, onfocus: choose,
    onkeydown: (event) => {
      if (!(event.key in keys)) return;
      event.preventDefault();
      go(keys[event.key]);
    },
  });
  node.append(svg("title", {}, `${unit.words}\n${label(unit)}`), svg("circle", { class: "halo", r: 17 }), SHAPES[unit.role]());
  node.append(svg("text", { y: unit.role === "fact" ? 3 : 0 }, String(unit.rank)));
  if (unit.gold) node.append(svg("text", { class: "star", x: 13, y: -12 }, "★"));
  return node;
}

/** Draw an edge from the earlier to the later as an arc, widest beside units that stand in a pile. */
function drawEdge([from, to, kind], n, units, spots, onPath) {
  const [a, b] = [spots.get(units[from]), spots.get(units[to])];
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const far = Math.hypot(dx, dy) || 1;
  const bend = Math.min(40, far / 5) + 26 * Math.max(0, 1 - Math.abs(dx) / ROOM);
  const [mx, my] = [(a.x + b.x) / 2 + (dy / far) * bend, (a.y + b.y) / 2 - (dx / far) * bend];
  const [ex, ey] = [b.x - mx, b.y - my];
  const cut = (Math.hypot(ex, ey) - RADIUS - 4) / (Math.hypot(ex, ey) || 1);
  const [tx, ty] = [mx + ex * cut, my + ey * cut];
  const turn = (Math.atan2(ey, ex) * 180) / Math.PI;
  const edge = svg("g", { class: "link", "data-edge": n },
    svg("title", {}, `${readable(kind)}: #${units[from].rank} to #${units[to].rank}`),
    svg("path", { class: `edge ${kind}${onPath ? " path" : ""}`, d: `M${a.x} ${a.y} Q${mx} ${my} ${tx} ${ty}` }),
    svg("path", { class: `edge ${kind}${onPath ? " path" : ""}`, style: "stroke-dasharray:none", d: "M-6 -4 L0 0 L-6 4", transform: `translate(${tx} ${ty}) rotate(${turn})` }),
  );
  return edge;
}

function axis(plan, width) {
  const y = plan.base + RADIUS + 12;
  const group = svg("g", {}, svg("line", { class: "axis", x1: 0, x2: width, y1: y, y2: y }));
  let free = -Infinity;
  for (const [at, name] of ticks(plan.first, plan.last, Math.max(1, Math.floor(width / 110)))) {
    const x = plan.x(at);
    const half = name.length * 3.1;
    if (x - half < Math.max(free, 0) || x + half > width) continue;
    group.append(svg("line", { class: "axis", x1: x, x2: x, y1: y, y2: y + 5 }), svg("text", { class: "tick", x, y: y + 18 }, name));
    free = x + half + 8;
  }
  return group;
}

/** Return at most so many round moments from first to last, with their names. */
function ticks(first, last, most) {
  const clock = { hour: "2-digit", minute: "2-digit" };
  const names = (at, shape) => new Date(at * 1000).toLocaleString("en-GB", { timeZone: "UTC", ...shape });
  const day = { day: "numeric", month: "short", year: "numeric" };
  if (first === last) return [[first, names(first, { ...day, ...clock })]];
  const step = [1 / 24, 1 / 4, 1, 2, 7, 14].find((days) => (last - first) / DAY / days <= most);
  if (step) {
    const start = Math.ceil(first / (step * DAY)) * step * DAY;
    const shape = step < 1 ? { ...day, ...clock } : day;
    const found = [];
    for (let at = start; at <= last; at += step * DAY) found.push([at, names(at, shape)]);
    return found.length ? found : [[first, names(first, { ...day, ...clock })]];
  }
  const months = [1, 2, 3, 6, 12, 24, 60, 120, 600].find((m) => (last - first) / DAY / 30 / m <= most) ?? 1200;
  const begin = new Date(first * 1000);
  const count = begin.getUTCFullYear() * 12 + begin.getUTCMonth();
  const found = [];
  for (let month = Math.ceil(count / months) * months; ; month += months) {
    const at = Date.UTC(Math.floor(month / 12), month % 12) / 1000;
    if (at > last) return found;
    if (at >= first) found.push([at, names(at, { month: "short", year: "numeric" })]);
  }
}

/** Mark the chosen unit and path, and let what is not theirs step back. */
function light(place, drawing, state) {
  const lit = new Set(state.path === null ? [] : drawing.paths[state.path]);
  for (const node of place.querySelectorAll(".node")) {
    node.classList.toggle("chosen", Number(node.dataset.unit) === state.unit);
  }
  for (const link of place.querySelectorAll(".link")) {
    const n = Number(link.dataset.edge);
    for (const line of link.querySelectorAll(".edge")) {
      line.classList.toggle("lit", lit.has(n));
      line.classList.toggle("dim", lit.size > 0 && !lit.has(n));
    }
  }
}

function label(unit) {
  const packed = { true: "in the context", false: "left out of the context", null: "" }[unit.packed];
  return [`#${unit.rank}`, unit.role, unit.when || "no date", unit.gold ? "gold" : "", packed, unit.note].filter(Boolean).join(", ");
}

function unitText(unit, drawing) {
  const ends = drawing.edges.filter((edge) => edge.slice(0, 2).some((n) => drawing.ranks[n] === unit.rank));
  const edges = ends.map(([a, b, kind]) => `#${drawing.ranks[a]} → #${drawing.ranks[b]} ${readable(kind)}`).join("; ");
  return [
    el("p", {}, unit.gold ? "★ " : "", said(unit.words)),
    el("small", {}, `${label(unit)}. Unit ${unit.id}${unit.messages.length ? `, from ${unit.messages.join(", ")}` : ""}. ${edges}`),
  ];
}

function unitButton(unit, onclick) {
  return el("button", { type: "button", onclick }, el("b", {}, String(unit.rank)), said(unit.words), el("small", {}, `${unit.gold ? "★ " : ""}${label(unit)}`));
}

const readable = (kind) => kind.toLowerCase().replaceAll("_", " ");

/** Explain only what is there to be seen. */
function legend(units, drawing) {
  const sample = (role, packed) => svg("svg", { width: 20, height: 20, viewBox: "-16 -16 32 32", class: "graph", "aria-hidden": "true" }, svg("g", { class: `${role}${packed ? " packed" : ""}` }, SHAPES[role]()));
  const line = (classes) => svg("svg", { width: 26, height: 8, "aria-hidden": "true" }, svg("path", { class: `edge ${classes}`, d: "M0 4 H26" }));
  const items = [...new Set(units.map((unit) => unit.role))].map((role) => [sample(role, true), role]);
  if (units.some((unit) => unit.packed === false)) items.push([sample(units[0].role, false), "hollow: left out of the context"]);
  if (units.some((unit) => unit.gold)) items.push([el("span", { class: "gold" }, "★"), "from a gold message"]);
  if (drawing.paths.length) items.push([line("path"), "thick: on a path"]);
  for (const kind of new Set(drawing.edges.map((edge) => edge[2]))) items.push([line(kind), readable(kind)]);
  const rest = Object.entries(drawing.rest).map(([kind, n]) => `${n} ${readable(kind)}`).join(", ");
  if (rest) items.push(["", `not drawn: ${rest}`]);
  if (drawing.left) items.push(["", `and ${drawing.left} more units, of lower rank`]);
  return el("ul", { class: "legend" }, ...items.map((parts) => el("li", {}, ...parts)));
}

function paths(drawing, units, onchoose) {
  if (drawing.known) return el("p", {}, "A fast path knew the answer: ", said(drawing.known));
  if (!drawing.paths.length) return "";
  const buttons = drawing.paths.map((path, n) => {
    const hops = path.map((e) => ` –${readable(drawing.edges[e][2])}→ #${units[drawing.edges[e][1]].rank}`);
    return el("button", { type: "button", "aria-pressed": "false", onclick: () => choose(n) }, `#${units[drawing.edges[path[0]][0]].rank}${hops.join("")}`);
  });
  let chosen = null;
  const choose = (n) => {
    chosen = chosen === n ? null : n;
    buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(k === chosen)));
    onchoose(chosen);
  };
  return el("div", {}, el("h3", {}, "Reasoning paths, best first"), el("div", { class: "chips" }, ...buttons));
}
