import { calls } from '../../../../contract/telephony/calls.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { print, printData, printMessage } from '../../../terminal.ts'
import { findAgent } from '../../agents/agents/find.ts'
import { findNumber, parseNumber } from '../find-number.ts'

interface MakeOptions {
  server?: string
  json?: boolean
  agent?: string
  task?: string
  message?: string
  from?: string
}

/** Calls a person, and prints the id of the call. */
export async function makeCall(
  number: string,
  options: MakeOptions,
  environment: CliEnvironment,
): Promise<void> {
  const to = parseNumber(number)
  if (options.agent === undefined && options.message === undefined)
    throw new Failure('usage', 'Specify --agent or --message')
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const from = options.from && (await findNumber(connection, options.from)).e164
  const agentId = options.agent && (await findAgent(connection, options.agent)).id
  const { message, task } = options
  const create = client.calls.create(
    { to, agentId, message, task, from },
    { idempotencyKey: crypto.randomUUID() },
  )
  const call = await parseResponse(server, calls.create, create)
  if (options.json) return printData(call)
  print(call.id)
  printMessage(
    `Calling ${call.to} from ${call.from}. Follow it with: npx atrium telephony calls show ${call.id}`,
  )
}
