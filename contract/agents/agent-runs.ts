import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, queryFlag, queryInteger, Timestamp, TimestampInput } from '../fields.ts'
import { READ_BYTES_MAX } from '../files/file-texts.ts'
import { Money, ProjectRef } from '../projects/projects.ts'
import { RunChange, UndoneItem } from './run-changes.ts'
import {
  CALL_EFFECTS,
  CALL_RISKS,
  CALL_STATES,
  ConsoleLine,
  RUN_WAITS,
  WaitingBudget,
  WaitingFailure,
} from './run-events.ts'
import {
  RUNS_COUNTED_MAX,
  SEGMENT_KINDS,
  STATS_HOURS_MAX,
  STRIP_SEGMENTS_MAX,
  STRIPS_MAX,
} from './run-figures.ts'

export const RUN_TRIGGERS = ['message', 'provider_event', 'call', 'api', 'schedule', 'block'] as const
export const AGENT_RUN_STATUSES = ['queued', 'running', 'waiting', 'succeeded', 'failed', 'canceled'] as const
/** Instructions that a member with a lower role than the run's starter may have changed. */
export const TRUST_REASONS = ['agent', 'project_prompt', 'skill', 'block', 'message'] as const
const Status = z.enum(AGENT_RUN_STATUSES)

export const AgentRun = z.object({
  id: Id,
  title: z.string().describe('First part of the message it answers'),
  projectId: Id,
  projectName: z.string(),
  sessionId: Id,
  agentId: Id,
  agentVersion: z.number().int(),
  agentName: z.string().describe('The agent’s name in this version'),
  parentRunId: Id.nullable().describe('Run that started this one'),
  kind: z.enum(['agent', 'workflow']).describe('An agent run, or a workflow run with several agent blocks'),
  blockId: Id.nullable().describe('Agent block that it runs'),
  scheduleId: Id.nullable().describe('Schedule that started it'),
  trigger: z.enum(RUN_TRIGGERS),
  trust: z
    .enum(['trusted', 'verified', 'untrusted'])
    .describe('Below `trusted`, calls that send, spend, share, execute or delete require approval'),
  trustReason: z
    .enum(TRUST_REASONS)
    .nullable()
    .describe(
      'Instructions that lowered the trust because a member with a lower role than the member who started the run last changed them. Null if there are none',
    ),
  status: Status,
  wait: z
    .object({
      for: z.enum(RUN_WAITS),
      since: Timestamp,
      until: Timestamp.nullable(),
      budget: WaitingBudget.optional(),
      failure: WaitingFailure.optional(),
    })
    .nullable()
    .describe('Why the run is waiting'),
  model: z.string(),
  steps: z.number().int(),
  maxSteps: z.number().int(),
  cutOffAttempts: z.int().describe('Model calls without an answer; `GET /runs/:id/steps` returns their text'),
  tokensIn: z.number().int(),
  tokensOut: z.number().int(),
  tokensCacheRead: z.int().describe('Read from the provider’s prompt cache; part of `tokensIn`'),
  tokensCacheWrite: z.int().describe('Written to the provider’s prompt cache; part of `tokensIn`'),
  cost: Money,
  guardrailMatches: z.int().describe('How often guardrails matched'),
  hasOutput: z.boolean().describe('Whether `GET /runs/:id` returns an `output`'),
  errorCode: z.string().nullable(),
  error: z.string().nullable(),
  cancelRequestedAt: Timestamp.nullable(),
  eventId: Id.nullable().describe('Event that caused it'),
  createdBy: Id,
  createdByName: z.string(),
  createdAt: Timestamp,
  startedAt: Timestamp.nullable(),
  finishedAt: Timestamp.nullable(),
  deadlineAt: Timestamp,
  restoredAt: Timestamp.nullable().describe('When its changes were undone'),
  undoRunId: Id.nullable().describe('The run that undid it; undo that run to restore the changes'),
  canEdit: z.boolean().describe('Whether you can cancel, retry and undo it'),
})

export const AgentRunDetails = AgentRun.extend({
  outputSchema: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('Result format: the message’s, block’s or agent’s when the run started. Null for free text'),
  output: z
    .unknown()
    .describe('The result, which matches `outputSchema`. Null without one and until the run has succeeded'),
})

export const ChildRun = z.object({
  id: Id,
  title: z.string(),
  agentName: z.string(),
  blockId: Id.nullable(),
  status: Status,
  waitsFor: z.enum(RUN_WAITS).nullable().describe('Why the run is waiting'),
  cost: Money.describe('Excludes the cost of its own children'),
  startedAt: Timestamp.nullable(),
  finishedAt: Timestamp.nullable(),
})

const innerCall = {
  number: z.int().describe('From 1, in the order of the program'),
  tool: z.string(),
  input: z.unknown(),
  effect: z.enum(CALL_EFFECTS),
  risk: z.enum(CALL_RISKS),
  state: z.enum(CALL_STATES),
  errorCode: z.string().nullable(),
  error: z.string().nullable().describe('What the program got as an exception'),
  approvalId: Id.nullable(),
  childRunId: Id.nullable().describe('Run that it started'),
  fileId: Id.nullable().describe('File that a `write_file` call wrote'),
  startedAt: Timestamp.nullable(),
  finishedAt: Timestamp.nullable(),
}

/** In a step's list. */
export const PROGRAM_CALLS_SHOWN = 50
export const PROGRAM_INPUT_CHARACTERS = 1000
export const PROGRAM_FIELD_CHARACTERS = 200

const ListedProgramCall = z.object(innerCall)

export const ProgramCall = z.object({ ...innerCall, output: z.unknown(), outputFileId: Id.nullable() })

const AgentProgram = z.object({
  callCount: z.int(),
  calls: z
    .array(ListedProgramCall)
    .describe(
      `The first ${PROGRAM_CALLS_SHOWN} and later ones that are not done, at most ${2 * PROGRAM_CALLS_SHOWN}; \`GET /runs/:id/steps/:n/calls/:ordinal/calls\` returns all. An input of more than ${PROGRAM_INPUT_CHARACTERS} characters has only its fields of at most ${PROGRAM_FIELD_CHARACTERS}`,
    ),
  console: z.array(ConsoleLine),
})

export const AgentCall = z.object({
  ordinal: z.number().int(),
  callId: z.string(),
  tool: z.string(),
  input: z.unknown(),
  effect: z.enum(CALL_EFFECTS),
  risk: z.enum(CALL_RISKS),
  state: z.enum(CALL_STATES),
  attempts: z.number().int(),
  output: z.unknown(),
  outputFileId: Id.nullable(),
  images: z
    .array(z.object({ fileId: Id, version: z.int(), page: z.int().optional() }))
    .describe('Images that it returned'),
  errorCode: z.string().nullable(),
  approvalId: Id.nullable(),
  childRunId: Id.nullable().describe('Run that it started'),
  cost: Money.nullable().describe(
    'What a web search cost; null for other calls, and if the price is unknown',
  ),
  startedAt: Timestamp.nullable(),
  finishedAt: Timestamp.nullable(),
  program: AgentProgram.nullable().describe('Of a `run_code` call: what its program did'),
})

const GuardrailMatch = z.object({
  guardrailId: Id,
  name: z.string(),
  stage: z.enum(['input', 'tool', 'output']),
  action: z.enum(['block', 'redact', 'flag']),
  callId: z.string().nullable().describe('Call whose input or output matched'),
  labels: z.record(z.string(), z.int()).describe('Number of matches by label'),
})

const ImageDescription = z.object({
  model: z.string(),
  cost: Money.nullable().describe('Null if the model has no price'),
})

export const AgentStep = z.object({
  n: z.number().int(),
  attempt: z.number().int(),
  kind: z
    .enum(['answer', 'summary'])
    .describe('`summary`: the call summarized earlier messages because the conversation was too long'),
  state: z.enum(['streaming', 'done', 'interrupted', 'failed']),
  model: z.string(),
  text: z.string(),
  finish: z.string().nullable(),
  usage: z
    .record(z.string(), z.number())
    .nullable()
    .describe('Tokens: `input` includes `cacheRead` and `cacheWrite`, `output` includes `reasoning`'),
  cost: Money.nullable(),
  errorCode: z.string().nullable(),
  error: z.string().nullable(),
  startedAt: Timestamp,
  firstTokenAt: Timestamp.nullable(),
  finishedAt: Timestamp.nullable(),
  calls: z.array(AgentCall),
  guardrails: z.array(GuardrailMatch).describe('Guardrails that matched in this step'),
  descriptions: z
    .array(ImageDescription)
    .describe('Images that the vision model described for this attempt, one entry each'),
})

const params = z.object({ id: Id })

const figures = {
  runs: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  medianMs: z.number().nullable().describe('Median duration of the ended runs; null if none has ended'),
  cost: Money,
}

const RunStats = z.object({
  since: Timestamp,
  isPartial: z
    .boolean()
    .describe(`Whether there are more than ${RUNS_COUNTED_MAX} runs; the figures cover the newest ones`),
  ...figures,
  active: z.int().describe('Queued, running or waiting runs'),
  p95Ms: z.number().nullable().describe('95 % of the ended runs took at most this long'),
  runsBefore: z
    .int()
    .nullable()
    .describe('Runs in the same hours of the day before; null if there are too many'),
  hours: z.array(z.object({ at: Timestamp, ...figures })).describe('Hours with runs, oldest first'),
})

const RunIds = z
  .string()
  .max(STRIPS_MAX * 37)
  .transform((list) => list.split(',').map((id) => id.trim()))
  .pipe(
    z
      .array(z.uuid('must be a comma-separated list of run ids').toLowerCase())
      .max(STRIPS_MAX, `must have at most ${STRIPS_MAX} ids`),
  )
  .describe(`Comma-separated list of at most ${STRIPS_MAX} run ids`)
  .meta({ examples: ['0198f3a2-7c1e-7d44-9b1a-2f6c1de0a111'] })

const StepPrompt = z.object({
  n: z.number().int(),
  attempt: z.number().int(),
  model: z.string(),
  tokens: z.number().int().describe('An estimate'),
  system: z.string(),
  hasSystemChanged: z
    .boolean()
    .describe('Whether the project’s instructions have changed since; `system` has the current ones'),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.object({ name: z.string(), description: z.string(), inputSchema: z.unknown() })),
})

export const agentRuns = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/runs',
    summary: 'List agent runs',
    description:
      'Newest first. Runs of list items are in `GET /runs/:id/items`, and here only with their `sessionId`.',
    access: member(),
    query: z.object({
      ...cursorQuery,
      projectId: ProjectRef.optional(),
      agentId: Id.optional(),
      sessionId: Id.optional(),
      status: Status.optional(),
      trigger: z.enum(RUN_TRIGGERS).optional(),
      scheduleId: Id.optional(),
      since: TimestampInput.optional(),
    }),
    output: cursorPage(AgentRun),
    tool: 'read',
    standby: true,
  }),
  stats: endpoint({
    method: 'GET',
    path: '/api/v1/runs/stats',
    summary: 'Get run figures',
    description:
      'How many runs were created since a time, how they ended, how long they took and what they cost; in total and by hour. Counts the runs in projects you can see.',
    access: member(),
    query: z.object({
      since: TimestampInput.optional().describe(
        `At most ${STATS_HOURS_MAX} hours ago. Defaults to 24 hours ago`,
      ),
    }),
    output: RunStats,
    tool: 'read',
    standby: true,
  }),
  strips: endpoint({
    method: 'GET',
    path: '/api/v1/runs/strips',
    summary: 'Get run strips',
    description:
      'What several runs spent their time on, in order: the model, tools, waiting, or a failure; `live` is in progress. Runs you cannot see are omitted.',
    access: member(),
    query: z.object({ ids: RunIds }),
    output: z.object({
      items: z.array(
        z.object({
          runId: Id,
          segments: z
            .array(z.object({ kind: z.enum(SEGMENT_KINDS), ms: z.int() }))
            .describe(`At most ${STRIP_SEGMENTS_MAX}; empty before the run starts`),
        }),
      ),
    }),
    standby: true,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/runs/:id',
    summary: 'Get an agent run',
    access: member(),
    params,
    output: AgentRunDetails,
    tool: 'read',
  }),
  children: endpoint({
    method: 'GET',
    path: '/api/v1/runs/:id/children',
    summary: 'List child runs',
    description: 'Runs started by `run_agent`, or a workflow’s block runs; oldest first.',
    access: member(),
    params,
    output: z.object({ items: z.array(ChildRun) }),
    tool: 'read',
  }),
  steps: endpoint({
    method: 'GET',
    path: '/api/v1/runs/:id/steps',
    summary: 'List run steps',
    description: 'Every attempt with its calls and their results; oldest first.',
    access: member(),
    params,
    output: z.object({ items: z.array(AgentStep) }),
    tool: 'read',
  }),
  programCalls: endpoint({
    method: 'GET',
    path: '/api/v1/runs/:id/steps/:n/calls/:ordinal/calls',
    summary: 'List a program’s calls',
    description: 'Calls that a `run_code` call’s program made, with their inputs and results, in its order.',
    access: member(),
    params: params.extend({
      n: z.coerce.number().int().min(1).max(1_000_000),
      ordinal: z.coerce.number().int().min(1).max(1000),
    }),
    query: z.object({
      after: queryInteger(0, 1_000_000, 0).describe('Only calls with a greater number'),
      limit: queryInteger(1, 100, 50),
    }),
    output: z.object({ items: z.array(ProgramCall), hasMore: z.boolean() }),
    tool: 'read',
  }),
  prompt: endpoint({
    method: 'GET',
    path: '/api/v1/runs/:id/steps/:n/prompt',
    summary: 'Get a step’s prompt',
    description:
      'System prompt, messages and tools that the model received in an attempt, by default the last one. Text that looks like a key, token or password is `[redacted]`.',
    access: member(),
    params: params.extend({ n: z.coerce.number().int().min(1).max(1_000_000) }),
    query: z.object({ attempt: z.coerce.number().int().min(1).max(1_000_000).optional() }),
    output: StepPrompt,
  }),
  stream: endpoint({
    method: 'GET',
    path: '/api/v1/runs/:id/stream',
    summary: 'Follow a run',
    description:
      'Server-sent events, numbered from 1 without gaps. `Last-Event-ID` or `after` resumes after that event, on any process. The stream ends with `run.finished`. With `format=ui`, the same events arrive as AI SDK UI message chunks (`x-vercel-ai-ui-message-stream: v1`).',
    access: member(),
    params,
    query: z.object({
      after: queryInteger(0, Number.MAX_SAFE_INTEGER, 0),
      format: z.enum(['events', 'ui']).default('events'),
    }),
    output: z.null(),
    bytes: 'events',
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/v1/runs/:id/cancel',
    summary: 'Cancel a run',
    description:
      'Responds immediately; the run ends within a second. Has no effect on a run that has already ended.',
    access: member({ edits: true }),
    params,
    output: AgentRun,
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/v1/runs/:id/retry',
    summary: 'Retry a run',
    description:
      'Starts a new run in the same session; for a workflow, runs the blocks that are not done. Returns CONFLICT unless the run failed or was canceled, and while the session has another active run.',
    access: member({ edits: true }),
    params,
    output: AgentRun,
    status: 202,
    idempotent: true,
  }),
  changes: endpoint({
    method: 'GET',
    path: '/api/v1/runs/:id/changes',
    summary: 'List a run’s changes',
    description:
      'Every block, edge, file and memory that the run touched, once each, with its values before the first and after the last change. Omits items whose values are the same before and after. Works for every run in a project, including one that undid another.',
    access: member(),
    params,
    query: z.object(cursorQuery),
    output: cursorPage(RunChange),
    tool: 'read',
  }),
  changedText: endpoint({
    method: 'GET',
    path: '/api/v1/runs/:id/changes/:fileId/text',
    summary: 'Read a changed text file before or after a run',
    description:
      'Returns a file’s text before the run’s first change or after its last, or the part selected by `offset` and `limit`. Returns NOT_FOUND if the file did not exist then, or if the content has been deleted.',
    access: member({ scope: 'files:read' }),
    params: z.object({ id: Id, fileId: Id }),
    query: z.object({
      version: z.enum(['before', 'after']).default('before'),
      offset: queryInteger(0, Number.MAX_SAFE_INTEGER, 0).describe('First byte to read'),
      limit: queryInteger(16, READ_BYTES_MAX, 65_536).describe('Maximum number of bytes to read'),
    }),
    output: z.object({
      id: Id,
      version: z.enum(['before', 'after']),
      mimeType: z.string(),
      size: z.int().describe('Size of the whole text in bytes'),
      sha256: z.string(),
      text: z.string(),
      nextOffset: z.int().nullable().describe('`offset` of the next part; null at the end'),
    }),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/v1/runs/:id/undo',
    summary: 'Undo a run’s changes',
    description:
      'Reverts its blocks, edges, files and memories in one transaction. With `dryRun`, reports the changes without making them. The undo is itself a run: undo `undoRunId` to restore the changes. Returns CONFLICT while the run is active; with the reason `edited_since` and a list of `items` that were edited since, unless `force=true`; with `already_undone`; and with `expired` for files, 30 days after the run ended.',
    access: member({ edits: true }),
    heavy: true,
    params,
    query: z.object({ dryRun: queryFlag(), force: queryFlag() }),
    output: z.object({
      runId: Id,
      undoRunId: Id.nullable().describe('Run that contains the undo’s changes; null for `dryRun`'),
      snapshotId: Id.nullable().describe(
        'Snapshot that restores the project’s canvas to its state before the undo; null if the canvas did not change',
      ),
      items: z.array(UndoneItem),
    }),
  }),
}
