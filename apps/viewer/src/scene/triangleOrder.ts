// Orders triangles so that neighbors follow each other and a vertex is rarely skinned and lit twice. This matters most if
// the processor does the work of the graphics card: SwiftShader keeps 64 vertices.

/** The number of vertices that the cache is assumed to hold. */
const KEPT = 24;

/**
 * Returns the same triangles in another order: three vertices each, below `count`. "Tipsify", from Sander, Nehab and Barczak, Fast
 * Triangle Reordering for Vertex Locality and Reduced Overdraw, 2007.
 */
export function neighborsTogether(triangles: ArrayLike<number>, count: number): Uint32Array {
  const { starts, corners } = cornersByVertex(triangles, count);
  const result = new Uint32Array(triangles.length);
  const done = new Uint8Array(triangles.length / 3);
  // The number of triangles left at each vertex, and the time at which the vertex entered the cache last.
  const left = Uint32Array.from({ length: count }, (_, vertex) => starts[vertex + 1]! - starts[vertex]!);
  const cached = new Int32Array(count);
  const dead: number[] = [];
  let [time, written, cursor] = [KEPT + 1, 0, 0];
  for (let fan = 0; fan >= 0; ) {
    const candidates: number[] = [];
    for (let i = starts[fan]!; i < starts[fan + 1]!; i++) {
      const triangle = Math.floor(corners[i]! / 3);
      if (done[triangle]) continue;
      done[triangle] = 1;
      for (let corner = 3 * triangle; corner < 3 * triangle + 3; corner++) {
        const vertex = triangles[corner]!;
        result[written++] = vertex;
        dead.push(vertex);
        candidates.push(vertex);
        left[vertex]!--;
        if (time - cached[vertex]! > KEPT) cached[vertex] = time++;
      }
    }
    fan = oldestThatStays(candidates, left, cached, time);
    while (fan < 0 && dead.length > 0) {
      const vertex = dead.pop()!;
      if (left[vertex]! > 0) fan = vertex;
    }
    while (fan < 0 && cursor < count) {
      if (left[cursor]! > 0) fan = cursor;
      cursor++;
    }
  }
  return result;
}

/** Returns, among the vertices with triangles left, the one that is longest in the cache and stays there while these triangles are drawn; -1 if there is none. */
function oldestThatStays(candidates: number[], left: Uint32Array, cached: Int32Array, time: number): number {
  let [best, highest] = [-1, -1];
  for (const vertex of candidates) {
    if (left[vertex]! === 0) continue;
    const age = time - cached[vertex]!;
    const priority = age + 2 * left[vertex]! <= KEPT ? age : 0;
    if (priority > highest) [best, highest] = [vertex, priority];
  }
  return best;
}

/** The corners of triangles at each of `count` vertices: those of vertex `v` are `corners[starts[v]]` up to `corners[starts[v + 1]]`. */
export function cornersByVertex(triangles: ArrayLike<number>, count: number): { starts: Uint32Array; corners: Uint32Array } {
  const starts = new Uint32Array(count + 1);
  for (let corner = 0; corner < triangles.length; corner++) starts[triangles[corner]! + 1]!++;
  for (let vertex = 0; vertex < count; vertex++) starts[vertex + 1]! += starts[vertex]!;
  const next = starts.slice();
  const corners = new Uint32Array(triangles.length);
  for (let corner = 0; corner < triangles.length; corner++) corners[next[triangles[corner]!]!++] = corner;
  return { starts, corners };
}
