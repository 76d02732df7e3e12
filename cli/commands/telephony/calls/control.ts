import { calls } from '../../../../contract/telephony/calls.ts'
import { CALL_ENDS } from '../../../../contract/telephony/telephony-options.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { printData, printMessage, sanitize } from '../../../terminal.ts'
import { parseNumber } from '../find-number.ts'
import { findCallId } from './find.ts'

interface Options {
  server?: string
  json?: boolean
}

export async function hangUp(ref: string, options: Options, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const id = await findCallId(connection, ref)
  const call = await parseResponse(server, calls.hangUp, client.calls.hangUp({ id }))
  if (options.json) return printData(call)
  if (!call.endedAt) return printMessage('The call ends when the carrier reports it')
  printMessage(`The call has ended. ${call.endReason ? CALL_ENDS[call.endReason] : ''}`.trimEnd())
}

export async function transferCall(
  ref: string,
  numbers: string[],
  options: Options & { summary?: string },
  environment: CliEnvironment,
): Promise<void> {
  const targets = numbers.map(parseNumber)
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const id = await findCallId(connection, ref)
  const transfer = client.calls.transfer({ id, targets, summary: options.summary })
  const call = await parseResponse(server, calls.transfer, transfer)
  if (options.json) return printData(call)
  const target = sanitize(call.transfer?.target ?? targets[0]!)
  printMessage(
    `The caller waits while ${target} is called. Follow it with: npx atrium telephony calls show ${id}`,
  )
}
