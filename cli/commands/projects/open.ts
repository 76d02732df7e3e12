import { openBrowser } from '../../browser.ts'
import type { Surroundings } from '../../config.ts'
import { connect } from '../../connect.ts'
import { addressOf, findProject } from '../../projects/find.ts'
import { print, printData } from '../../terminal.ts'

interface OpenOptions {
  server?: string
  json?: boolean
  browser?: boolean
}

/** Where there is no browser, the address is on the screen. */
export async function openProject(which: string, options: OpenOptions, around: Surroundings): Promise<void> {
  const connection = await connect(options.server, around)
  const project = await findProject(connection, which)
  const address = addressOf(connection.server, project)
  if (options.json) return printData({ id: project.id, slug: project.slug, address })
  print(address)
  if (options.browser !== false) openBrowser(address)
}
