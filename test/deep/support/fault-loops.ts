/** How often a process is killed in a test of faults: a few times, or as often as `FAULT_LOOPS` says. */
export const FAULT_LOOPS = Number(process.env['FAULT_LOOPS'] ?? 4);
