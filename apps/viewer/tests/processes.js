// Processor time of the browser's processes and of the server, by kind, where the system tells it in /proc.

import { readFileSync, readdirSync } from 'node:fs';

/** Milliseconds in a clock tick: Linux counts a hundred a second for programs. */
const TICK = 10;

/** State, parent and times of a process, as /proc/PID/stat lists them behind its name; `null` for one that has ended. */
function fields(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  } catch {
    return null;
  }
}

/** Milliseconds of processor time that each kind of process below this one has used: `gpu-process`, `renderer`, `bonebox`. */
export function processorTimes() {
  const times = {};
  let pids;
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return times;
  }
  const all = new Map(pids.map((pid) => [pid, fields(pid)]).filter(([, stat]) => stat));
  const isBelow = (pid) => pid === String(process.pid) || (all.has(pid) && isBelow(all.get(pid)[1]));
  for (const [pid, stat] of all) {
    if (pid === String(process.pid) || !isBelow(stat[1])) continue;
    try {
      // Chromium writes its words with spaces between them, other programs with zeros.
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(/[\0 ]/);
      const type = words.find((word) => word.startsWith('--type='))?.slice('--type='.length);
      const kind = type ?? words[0].split('/').at(-1);
      times[kind] = (times[kind] ?? 0) + TICK * (Number(stat[11]) + Number(stat[12]));
    } catch {
      // It has ended meanwhile.
    }
  }
  return times;
}
