import { calls } from '../../../../contract/telephony/calls.ts'
import { CALL_ENDS } from '../../../../contract/telephony/telephony-options.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { print, printData, printTable, sanitize } from '../../../terminal.ts'
import { durationText, timeText } from '../../agents/runs/labels.ts'
import { type CallWithTimeline, findCallId } from './find.ts'
import { callCostText } from './list.ts'

export async function showCall(
  ref: string,
  options: { server?: string; json?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const id = await findCallId(connection, ref)
  const call = await parseResponse(server, calls.get, client.calls.get({ id }))
  if (options.json) return printData(call)
  print(`Call ${id}  ${call.status}`)
  for (const [name, value] of factsOf(call, server))
    if (value) print(`  ${name.padEnd(10)}  ${sanitize(value)}`)
  if (call.timeline.length === 0) return
  print()
  const rows = call.timeline.map(({ at, type, detail }) => [
    timeText(at),
    sanitize(type),
    sanitize(detail ?? ''),
  ])
  printTable([['TIME', 'EVENT', ''], ...rows])
}

/** The facts of a call. A fact without a value is not printed. */
function factsOf(call: CallWithTimeline, server: string): [name: string, value: string | null][] {
  const { transfer, durationSeconds, endReason } = call
  return [
    ['from', call.from],
    ['to', call.to],
    ['direction', `${call.direction}, through ${call.provider}`],
    ['agent', call.agentName],
    ['started', timeText(call.startedAt)],
    ['answered', call.answeredAt && timeText(call.answeredAt)],
    ['ended', call.endedAt && timeText(call.endedAt)],
    ['duration', durationSeconds === null ? null : durationText(durationSeconds * 1000)],
    ['reason', endReason && CALL_ENDS[endReason]],
    ['transfer', transfer && [transfer.state, transfer.target, transfer.reason].filter(Boolean).join(', ')],
    ['summary', call.summary],
    ['cost', call.cost && callCostText(call.cost)],
    ['session', call.sessionId],
    ['run', call.runId],
    ['recording', call.recordingFileId],
    ['transcript', call.transcriptFileId],
    ['page', `${server}/telephony/calls/${call.id}`],
  ]
}
