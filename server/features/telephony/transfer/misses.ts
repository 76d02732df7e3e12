import type { Miss } from './states.ts'

/** Why a target was not connected, as text for people. */
export const MISSES: Record<Miss, string> = {
  busy: 'the line was busy',
  no_answer: 'no one answered',
  refused: 'the person did not take the call',
  machine: 'an answering machine answered',
  failed: 'the call could not be made',
}
