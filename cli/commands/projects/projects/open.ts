import { openBrowser } from '../../../browser.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect } from '../../../connect.ts'
import { print, printData } from '../../../terminal.ts'
import { findProject, urlOf } from './find.ts'

interface OpenOptions {
  server?: string
  json?: boolean
  browser?: boolean
}

/** Prints the URL of a project, and opens it in the browser. */
export async function openProject(
  ref: string,
  options: OpenOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const project = await findProject(connection, ref)
  const url = urlOf(connection.server, project)
  if (options.json) return printData({ id: project.id, slug: project.slug, address: url })
  print(url)
  if (options.browser !== false) openBrowser(url)
}
