import { readFile } from 'node:fs/promises'
import { agents } from '../../../../contract/agents/agents.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { printData, printMessage, sanitize } from '../../../terminal.ts'
import { findAgent } from './find.ts'

interface ImageOptions {
  server?: string
  json?: boolean
}

export async function setImage(
  ref: string,
  file: string | undefined,
  options: ImageOptions,
  environment: CliEnvironment,
): Promise<void> {
  if (file === undefined) throw new Failure('usage', 'Name an image file, or pass --remove')
  const image = await readFile(file, 'base64').catch((error: NodeJS.ErrnoException) => {
    throw new Failure('usage', `Cannot read ${file} (${error.code})`)
  })
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id } = await findAgent(connection, ref)
  const agent = await parseResponse(server, agents.setImage, client.agents.setImage({ id, image }))
  if (options.json) return printData(agent)
  printMessage(`Set the image of ${sanitize(agent.name)}: ${server}/agents/${id}`)
}

export async function removeImage(
  ref: string,
  file: string | undefined,
  options: ImageOptions,
  environment: CliEnvironment,
): Promise<void> {
  if (file !== undefined) throw new Failure('usage', 'Pass either an image file or --remove')
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id } = await findAgent(connection, ref)
  const agent = await parseResponse(server, agents.removeImage, client.agents.removeImage({ id }))
  if (options.json) return printData(agent)
  printMessage(`Removed the image of ${sanitize(agent.name)}`)
}
