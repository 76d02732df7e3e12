import { schedules } from '../../../../contract/agents/schedules.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { print, printData, printMessage, sanitize } from '../../../terminal.ts'
import { findSchedule } from './find.ts'
import { nextText } from './list.ts'

interface ManageOptions {
  server?: string
  json?: boolean
}

export async function setEnabled(
  ref: string,
  enabled: boolean,
  options: ManageOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id } = await findSchedule(connection, ref)
  const call = client.schedules.update({ id, enabled })
  const schedule = await parseResponse(server, schedules.update, call)
  if (options.json) return printData(schedule)
  const name = sanitize(schedule.name)
  printMessage(enabled ? `Resumed ${name}. Next: ${nextText(schedule)}` : `Paused ${name}`)
}

export async function runSchedule(
  ref: string,
  options: ManageOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id } = await findSchedule(connection, ref)
  const call = client.schedules.run({ id }, { idempotencyKey: crypto.randomUUID() })
  const { run } = await parseResponse(server, schedules.run, call)
  if (options.json) return printData({ run })
  print(run.id)
  printMessage(`Follow it with: npx atrium runs follow ${run.id}`)
}

export async function deleteSchedule(
  ref: string,
  options: ManageOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id, name } = await findSchedule(connection, ref)
  const deleted = await parseResponse(server, schedules.remove, client.schedules.remove({ id }))
  if (options.json) return printData(deleted)
  printMessage(`Deleted ${sanitize(name)}`)
}
