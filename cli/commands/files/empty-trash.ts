import { fileTrash } from '../../../contract/files/retention.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { openPage, type PageOptions, pollFor, shouldWait } from '../../page.ts'
import { printData, printMessage } from '../../terminal.ts'
import { withRetry } from './retry.ts'
import { formatBytes } from './sizes.ts'

/**
 * Prints the number and size of the files in the trash, and opens the page that empties it: API keys cannot delete
 * permanently.
 */
export async function emptyTrash(options: PageOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const read = () =>
    parseResponse(
      server,
      fileTrash.summary,
      withRetry(() => client.fileTrash.summary()),
    )
  const before = await read()
  const { entries, files, bytes } = before
  if (entries === 0)
    return options.json ? printData(before) : printMessage('The trash has nothing that you can delete')
  printMessage(`${count(entries, 'item')} with ${count(files, 'file')}, ${formatBytes(bytes)}`)
  const page = { path: 'files/trash?empty=1', action: 'Empty the trash', subject: 'permanent deletion' }
  const url = openPage(connection, page, options)
  if (!shouldWait(options)) return options.json ? printData({ ...before, url }) : undefined
  const after = await pollFor(url, async () => {
    const now = await read()
    return now.entries === 0 ? now : null
  })
  if (options.json) return printData(after)
  printMessage('The trash is empty')
}

const count = (value: number, noun: string) => `${value} ${noun}${value === 1 ? '' : 's'}`
