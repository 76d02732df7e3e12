import type { StreamState } from '../../../../client/event-stream.ts'
import { agentRuns } from '../../../../contract/agents/agent-runs.ts'
import { RUN_EVENTS, type RunEvent, type RunEventType } from '../../../../contract/agents/run-events.ts'
import type { CliEnvironment } from '../../../config.ts'
import { type Connection, connect, parseResponse } from '../../../connect.ts'
import { follow, reportConnection } from '../../../event-stream.ts'
import { EXIT_CODES } from '../../../failure.ts'
import { parseJson } from '../../../parse.ts'
import { print, printMessage } from '../../../terminal.ts'
import { findRun } from './find.ts'
import { type AgentRun, betweenText } from './labels.ts'
import { callKey, createRunView } from './render-run.ts'
import { showRun } from './show.ts'

interface FollowOptions {
  server?: string
  json?: boolean
}

/** Leaving doesn't cancel the run. */
export async function followOne(
  ref: string,
  options: FollowOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const run = await findRun(connection, ref)
  if (run.finishedAt && (await hasDeletedEvents(connection, run.id))) {
    printMessage('This run’s events have been deleted. Its steps:')
    return showRun(run.id, options, environment)
  }
  await followToEnd(connection, run, options.json ?? false)
}

/** The server deletes a run's events some days after it ends, leaving only the last. */
async function hasDeletedEvents(connection: Connection, runId: string): Promise<boolean> {
  for await (const { seq } of followRun(connection, runId, () => {})) return seq > 1
  return true
}

/** Sets the exit code from the run's status. */
export async function followToEnd(connection: Connection, run: AgentRun, json: boolean): Promise<void> {
  const { server } = connection
  const view = json
    ? null
    : createRunView({ server, runId: run.id, durations: await readDurations(connection, run) })
  for await (const { seq, type, data, event } of followRun(connection, run.id, reportConnection())) {
    if (json) print(JSON.stringify({ seq, type, data }))
    if (event) view?.show(event)
    if (event?.type !== 'run.finished') continue
    const { status } = event.data
    if (status !== 'succeeded')
      process.exitCode = status === 'canceled' ? EXIT_CODES.interrupted : EXIT_CODES.failed
  }
}

async function readDurations({ server, client }: Connection, { id, startedAt }: AgentRun) {
  if (startedAt === null) return new Map<string, string>()
  const { items } = await parseResponse(server, agentRuns.steps, client.agentRuns.steps({ id }))
  const ended = items.flatMap(({ n, calls }) =>
    calls.map((call): [string, string] => [
      callKey(n, call.ordinal),
      betweenText(call.startedAt, call.finishedAt),
    ]),
  )
  return new Map(ended.filter(([, duration]) => duration !== ''))
}

/** `event` is null for a type this CLI version doesn't know. */
interface NumberedEvent {
  seq: number
  type: string
  data: unknown
  event: RunEvent | null
}

/** Yields each event once and in order, and resumes after a broken connection. */
export async function* followRun(
  connection: Connection,
  runId: string,
  onState: (state: StreamState) => void,
): AsyncGenerator<NumberedEvent, void> {
  let lastSeq = 0
  for await (const { name, id, data } of follow(connection, `/api/v1/runs/${runId}/stream`, onState)) {
    const seq = Number(id)
    if (!(seq > lastSeq)) continue
    lastSeq = seq
    const value = parseJson(data)
    yield { seq, type: name, data: value, event: eventOf(name, value) }
    if (name === 'run.finished') return
  }
}

function eventOf(type: string, value: unknown): RunEvent | null {
  if (!Object.hasOwn(RUN_EVENTS, type)) return null
  const parsed = RUN_EVENTS[type as RunEventType].safeParse(value)
  return parsed.success ? ({ type, data: parsed.data } as RunEvent) : null
}
