import { favourites } from '../../../../contract/projects/favourites.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { printData, printMessage, sanitize } from '../../../terminal.ts'
import { findProject } from './find.ts'

/** Adds a project to the favorites of the user, or removes it. */
export async function starProject(
  ref: string,
  isFavourite: boolean,
  options: { server?: string; json?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id, name } = await findProject(connection, ref)
  const result = isFavourite
    ? await parseResponse(server, favourites.add, client.favourites.add({ id }))
    : await parseResponse(server, favourites.remove, client.favourites.remove({ id }))
  if (options.json) return printData(result)
  printMessage(
    isFavourite
      ? `Added ${sanitize(name)} to your favorites`
      : `Removed ${sanitize(name)} from your favorites`,
  )
}
