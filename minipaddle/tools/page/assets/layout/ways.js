/* Where arrows run and their labels stand, by coordinates, once columns and rows have their places. Read before: lanes.js. */

const SPREAD = 40; // a bundle that is spread is at most so wide

class Ways extends Lanes {
  /** Where all arrows and labels are, now that columns have their places. */
  follow() {
    for (const way of this.ways) {
      way.points = this.pointsOf(way);
      way.at = way.label ? this.labelAt(way) : null;
    }
  }

  move(by) {
    for (const { points, at } of this.ways) {
      for (const point of points) point[0] += by;
      if (at) [at.x, at.box.x] = [at.x + by, at.box.x + by];
    }
  }

  routes() {
    const bundles = groupsOf(this.ways.filter(({ bundle }) => bundle), ({ bundle }) => bundle);
    const spread = new Map([...bundles.values()].flatMap((all) => all.map((way, one) => [way, spreadOut(way, one, all.length)])));
    return this.ways.map((way) => ({ path: pathThrough(way.points), label: way.at, bundle: way.bundle, spread: spread.has(way) ? pathThrough(spread.get(way)) : "" }));
  }

  pointsOf(way) {
    const [from, to] = [pointAt(way.tail), pointAt(way.head)];
    if (way.kind === "drop" || way.straight) return [from, to];
    if (way.kind === "early" || way.kind === "late") return [from, [from[0], way.track], [to[0], way.track], to];
    const channel = ({ box: { column }, side }) => (isAtSide(side) ? column + (side === "right") : this.laneChannel(way));
    const x = this.laneAt(channel(way.kind === "round" ? way.head : way.kind === "across" ? this.turnOf(way) : way.tail), way.lane, way.frames.length);
    if (way.kind === "across") return [from, [x, from[1]], [x, to[1]], to];
    const out = [from, [from[0], way.track ?? way.tail.track], [x, way.track ?? way.tail.track]];
    if (way.kind === "skip") return [...out, [x, to[1]], to];
    if (way.kind !== "through") return [...out, [x, way.head.track], [to[0], way.head.track], to];
    const second = this.laneAt(channel(way.head), way.second);
    return [from, [x, from[1]], [x, way.track], [second, way.track], [second, to[1]], to];
  }

  /** The rows below which a label stands. */
  wordyGaps() {
    return new Set(this.ways.filter((way) => way.label && standsInGap(way)).map((way) => `${this.rowAbove(way)} ${way.isDown}`));
  }

  /** The row below which the label of a way stands that stands in a gap. */
  rowAbove({ kind, isDown, tail, head }) {
    if (kind === "drop" || !isDown) return Math.min(tail.box.row, head.box.row);
    return this.layout.rowBefore(head.box.row, head.box.column);
  }

  /** The upright pieces of all arrows. */
  uprights() {
    return this.ways.flatMap(({ points }) => points.slice(1).flatMap(([x, y], one) =>
      (x === points[one][0] ? [{ x, y: Math.min(y, points[one][1]), width: 0, height: Math.abs(y - points[one][1]) }] : [])));
  }

  /** A label stands beside its own arrow, where no other runs. */
  labelAt(way) {
    const { left, widths, room, rows } = this.layout;
    if (standsInGap(way)) {
      const { free, gap } = rows[this.rowAbove(way)].parts.get(way.isDown);
      const end = way.kind === "drop" ? way.tail : way.head;
      const atLeft = way.kind === "drop" ? wordsOf(way) < 0 : sideOf({ way, end }) < 0;
      return placed(pointAt(end)[0] + (atLeft ? -6 : 6), free + gap / 2 + 4, atLeft ? "end" : "start", way.wide);
    }
    if (way.kind === "bow" || way.kind === "round") {
      const below = way.head.side === "bottom";
      const port = way.head.at + way.head.box.x + way.head.box.width / 2;
      return placed(port + (way.isDown ? -4 : 4), way.head.track + (below ? 11 : -4), way.isDown ? "end" : "start", way.wide);
    }
    if (way.kind === "skip") return placed(pointAt(way.head)[0] - 12, pointAt(way.head)[1] - 4, "end", way.wide);
    if (way.column !== undefined) return placed(pointAt(way.head)[0] + 13, middle(way.head.box) + way.head.at - 4, "start", way.wide);
    const channel = this.labelChannel(way);
    const isLeft = this.isDown(channel - 1);
    const end = [way.head, way.tail].find(({ box }) => box.column === (isLeft ? channel - 1 : channel));
    const y = middle(end.box) + end.at - 4;
    if (!isLeft) return placed(end.box.x - (end === way.head ? 13 : 4), y, "end", way.wide);
    return placed(left[channel - 1] + widths[channel - 1] + room.right[channel - 1][0] + 6, y, "start", way.wide);
  }
}

/** Whether the label of a way stands in the gap between two rows. */
const standsInGap = (way) => way.kind === "drop" || turnsAt(way, way.head);

/** The points of one of so many arrows of a bundle where each has a lane and a port of its own. */
function spreadOut({ points, tail }, one, count) {
  const by = Math.min(4, SPREAD / (count - 1)) * (one - (count - 1) / 2);
  const last = points.length - 1;
  const inOrder = (all) => (tail.shared ? [...all].reverse() : all); // the end that all share is the last
  return inOrder(inOrder(points).map(([x, y], place) => {
    const [left, near] = [last - place, place < last / 2]; // points to the shared end
    if (last === 3) return [place && left ? x + by : x, near ? y : y + by];
    return [place > 1 ? x + by : x, left && !near ? y + by : y];
  }));
}

/** A label and the box around it. */
function placed(x, y, anchor, width) {
  return { x, y, anchor, box: { x: anchor === "end" ? x - width : x, y: y - 9, width, height: HIGH } };
}

/** A path through points, all its pieces level or upright, with round corners. */
function pathThrough(points) {
  const parts = [`M${points[0]}`];
  points.slice(1, -1).forEach((corner, place) => {
    const [before, after] = [points[place], points[place + 2]];
    const apart = ([x, y]) => Math.abs(x - corner[0]) + Math.abs(y - corner[1]);
    const radius = Math.min(5, apart(before) / 2, apart(after) / 2);
    const toward = (other) => corner.map((at, axis) => at + radius * Math.sign(other[axis] - at));
    parts.push(`L${toward(before)}Q${corner} ${toward(after)}`);
  });
  return `${parts.join("")}L${points.at(-1)}`;
}
