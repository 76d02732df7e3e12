/** The position of a block. This file has no schemas, so that the browser can load it. */
export const POSITION_FIELDS = ['x', 'y', 'width', 'height', 'rotation', 'zIndex', 'parentId'] as const

/** The highest stacking order. */
export const ORDER_MAX = 1_000_000_000

/** The fields that a caller can set; the server sets the others. */
export const BLOCK_FIELDS = [
  'type',
  ...POSITION_FIELDS,
  'title',
  'content',
  'fileId',
  'color',
  'locked',
  'metadata',
] as const

/**
 * The keys in the metadata of an agent block that the server alone writes. A caller can send back the metadata that it
 * read: these keys are ignored in every write, and missing ones stay.
 */
export const RUNTIME_KEYS = [
  'runId',
  'sessionId',
  'workflowRunId',
  'status',
  'waitsFor',
  'startedAt',
  'finishedAt',
  'cost',
  'error',
  'output',
  'outputRunId',
] as const

export const SHAPES = ['rectangle', 'ellipse', 'diamond'] as const
export const EDGE_ROUTES = ['curved', 'straight', 'orthogonal'] as const
/** The ends of a line that have an arrowhead. */
export const ARROWS = ['end', 'start', 'both', 'none'] as const
/** The maximum number of points of a drawing. */
export const POINTS_MAX = 500

/** The state of the last run of an agent block. */
export interface AgentBlockState {
  /** The last run of the block. */
  runId: string | null
  sessionId: string | null
  /** The current or last workflow run that includes the block. */
  workflowRunId: string | null
  status: 'queued' | 'running' | 'waiting' | 'done' | 'failed' | 'canceled' | 'skipped'
  /** Why the run waits: for a decision, an answer, a budget. */
  waitsFor: string | null
  startedAt: string | null
  finishedAt: string | null
  cost: { amount: string; currency: string }
  error: string | null
  /** The last answer; cut at its end if it is long. */
  output: string | null
  /** The run that gave the answer: an earlier one if the last run has not succeeded. */
  outputRunId: string | null
}
