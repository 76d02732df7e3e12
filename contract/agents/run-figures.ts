/** Limits on what the figures and pictures of runs read. */
export const STATS_HOURS_MAX = 48
export const RUNS_COUNTED_MAX = 10_000
export const STRIPS_MAX = 50
export const STRIP_SEGMENTS_MAX = 32

export const SEGMENT_KINDS = ['model', 'tool', 'waiting', 'failed', 'live'] as const
export type SegmentKind = (typeof SEGMENT_KINDS)[number]
