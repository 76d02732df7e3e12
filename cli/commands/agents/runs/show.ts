import { agentRuns } from '../../../../contract/agents/agent-runs.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { CliEnvironment } from '../../../config.ts'
import { type Connection, connect, parseResponse } from '../../../connect.ts'
import { print, printData, sanitize, sanitizeLines, style } from '../../../terminal.ts'
import { callLine } from './call-text.ts'
import { findRun, runUrl } from './find.ts'
import {
  type AgentRun,
  betweenText,
  coloredStatus,
  costText,
  type RunDetails,
  shorten,
  timeText,
  totalsText,
} from './labels.ts'

interface ShowOptions {
  server?: string
  json?: boolean
}

const TITLE_COLUMNS = 100

type Step = OutputOf<typeof agentRuns.steps>['items'][number]

export async function showRun(ref: string, options: ShowOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const run = await findRun(connection, ref)
  const { items: steps } = await parseResponse(
    server,
    agentRuns.steps,
    client.agentRuns.steps({ id: run.id }),
  )
  const children = await readChildren(connection, run.id)
  if (options.json) return printData({ ...run, items: steps, children })
  printRun(server, run)
  printOutput(run)
  for (const step of steps) printStep(step)
  if (children.length === 0) return
  print(`\n${style('bold', 'Started runs', process.stdout)}`)
  printChildren(children)
}

function printRun(server: string, run: AgentRun): void {
  const row = (label: string, value: string) => print(`  ${label.padEnd(9)}${value}`)
  print(`Run ${run.id}  ${coloredStatus(run)}`)
  if (run.error) row('error', style('red', `${sanitize(run.error)} (${run.errorCode})`, process.stdout))
  if (run.wait?.failure) row('problem', style('yellow', sanitize(run.wait.failure.message), process.stdout))
  if (run.title) row('title', shorten(run.title, TITLE_COLUMNS))
  row('agent', `${sanitize(run.agentName)}, version ${run.agentVersion}`)
  row('project', sanitize(run.projectName))
  row('started', `${timeText(run.createdAt)} by ${sanitize(run.createdByName)}, trigger ${run.trigger}`)
  if (run.finishedAt)
    row('ended', `${timeText(run.finishedAt)}, after ${betweenText(run.createdAt, run.finishedAt)}`)
  row('used', totalsText(run))
  row('trust', run.trust === 'trusted' ? 'trusted' : `${run.trust}: ${trustReasonText(run)}`)
  if (run.restoredAt) row('undone', timeText(run.restoredAt))
  row('session', run.sessionId)
  row('page', runUrl(server, run.id) + (run.wait?.for === 'approval' ? ' (decide there)' : ''))
}

function printOutput({ output }: RunDetails): void {
  if (output === null || output === undefined) return
  print(`\n${style('bold', 'Result', process.stdout)}`)
  print(indent(sanitizeLines(JSON.stringify(output, null, 2))))
}

const REASONS = {
  agent: 'the agent',
  project_prompt: 'the project prompt',
  skill: 'one of the agent’s skills',
  block: 'the block’s instructions',
  message: 'a message in the conversation',
}

const trustReasonText = ({ trust, trustReason }: AgentRun) =>
  trust === 'verified' && trustReason
    ? `a member with a lower role than whoever started the run last changed ${REASONS[trustReason]}`
    : 'it has read untrusted content'

function printStep(step: Step): void {
  const { n, attempt, state, model, startedAt, finishedAt, text, cost, calls } = step
  const details = [
    attempt > 1 ? `attempt ${attempt}` : '',
    state === 'done' ? '' : state,
    sanitize(model),
    betweenText(startedAt, finishedAt),
    cost ? costText(cost) : '',
  ].filter(Boolean)
  print(
    `\n${style('bold', `Step ${n}`, process.stdout)}  ${style('dim', details.join(', '), process.stdout)}`,
  )
  if (step.error) print(`  ${style('red', sanitize(step.error), process.stdout)}`)
  if (text.trim() !== '') print(indent(sanitizeLines(text.trimEnd())))
  for (const call of calls) printCall(call)
}

function printCall(call: Step['calls'][number]): void {
  print(callLine({ ...call, duration: betweenText(call.startedAt, call.finishedAt) }, process.stdout))
  if (!call.program) return
  const { calls, callCount, console: lines } = call.program
  for (const inner of calls) {
    const duration = betweenText(inner.startedAt, inner.finishedAt)
    print(
      `  ${callLine({ ...inner, output: inner.error && { error: inner.error }, duration }, process.stdout)}`,
    )
  }
  if (callCount > calls.length)
    print(`    ${style('dim', `… and ${callCount - calls.length} more calls`, process.stdout)}`)
  for (const { text } of lines) print(`    ${style('dim', sanitize(text), process.stdout)}`)
}

const indent = (text: string) => text.replaceAll(/^/gm, '  ')

type Child = OutputOf<typeof agentRuns.children>['items'][number]
interface ChildTree extends Child {
  children: ChildTree[]
}

/** Calls nest runs at most this deep; a workflow's blocks add one level. */
const DEPTH_MAX = 4
const CHILD_COLUMNS = 60

/** Oldest first. */
async function readChildren(connection: Connection, id: string, depth = 1): Promise<ChildTree[]> {
  if (depth > DEPTH_MAX) return []
  const { server, client } = connection
  const { items } = await parseResponse(server, agentRuns.children, client.agentRuns.children({ id }))
  const trees: ChildTree[] = []
  for (const child of items)
    trees.push({ ...child, children: await readChildren(connection, child.id, depth + 1) })
  return trees
}

function printChildren(children: readonly ChildTree[], indent = '  '): void {
  for (const child of children) {
    const { id, status, agentName, title, cost, startedAt, finishedAt } = child
    const details = [betweenText(startedAt, finishedAt), costText(cost)].filter(Boolean).join(', ')
    const label = `${sanitize(agentName)}: ${shorten(title, CHILD_COLUMNS)}`
    print(`${indent}${id}  ${status}  ${label}  ${style('dim', details, process.stdout)}`)
    printChildren(child.children, `${indent}  `)
  }
}
