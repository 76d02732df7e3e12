/** No schemas in this file, so the browser can load it. */
export const POSITION_FIELDS = ['x', 'y', 'width', 'height', 'rotation', 'zIndex', 'parentId'] as const

/** For stacking. */
export const ORDER_MAX = 1_000_000_000

/** Fields a caller can set; the server sets the others. */
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
 * Only the server writes these. Callers can send back metadata they read: every write ignores these keys, and missing
 * ones stay.
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
  'itemCounts',
  'outputIsData',
] as const

export const SHAPES = ['rectangle', 'ellipse', 'diamond'] as const
export const EDGE_ROUTES = ['curved', 'straight', 'orthogonal'] as const
export const ARROWS = ['end', 'start', 'both', 'none'] as const
/** Per edge. */
export const CONDITION_CHARACTERS_MAX = 2000
/** Per drawing. */
export const POINTS_MAX = 500

/** An agent block's last run. */
export interface AgentBlockState {
  runId: string | null
  sessionId: string | null
  /** The current or last workflow run that includes the block. */
  workflowRunId: string | null
  status: 'queued' | 'running' | 'waiting' | 'done' | 'failed' | 'canceled' | 'skipped'
  waitsFor: string | null
  startedAt: string | null
  finishedAt: string | null
  cost: { amount: string; currency: string }
  error: string | null
  /** The last answer; a long one is cut at its end. */
  output: string | null
  /** The run that gave the answer: an earlier one if the last run hasn't succeeded. */
  outputRunId: string | null
  /** A block that repeats: how far it is. */
  itemCounts: { total: number; running: number; done: number; failed: number } | null
  /** The output is a result in JSON; `GET /runs/:id` of `outputRunId` has a long one whole. */
  outputIsData: boolean
}
