import { projects } from '../../../contract/projects/projects.ts'
import type { Surroundings } from '../../config.ts'
import { ask, connect } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { patiently } from '../../files/retry.ts'
import { addressOf } from '../../projects/find.ts'
import { plain, print, printData, tell } from '../../terminal.ts'

interface CreateOptions {
  server?: string
  json?: boolean
  description?: string
  prompt?: string
  emoji?: string
  private?: boolean
}

export async function createProject(
  name: string | undefined,
  options: CreateOptions,
  around: Surroundings,
): Promise<void> {
  const { description, prompt, emoji } = options
  if (!name && !description)
    throw new Failure('usage', 'A project needs a name, or a --description to find one from')
  const { server, client } = await connect(options.server, around)
  const visibility = options.private ? ('private' as const) : undefined
  const idempotencyKey = crypto.randomUUID()
  const create = () =>
    client.projects.create({ name, description, prompt, emoji, visibility }, { idempotencyKey })
  const made = await ask(server, projects.create, patiently(create))
  if (options.json) return printData(made)
  print(`${made.slug}  ${plain(made.name)}`)
  tell(addressOf(server, made))
}
