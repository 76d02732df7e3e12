import { fileTexts, TEXT_CHARACTERS_MAX } from '../../../../../../contract/files/file-texts.ts'
import { callEndpoint } from '../../../../../tools/call-endpoint.ts'
import { findOrCreateFolder } from '../../calls/output.ts'
import type { RunToolCall } from '../../state/run-tool.ts'
import type { WebPage } from './read-page.ts'

const FOLDER = 'Web pages'
const PATH_CHARACTERS = 60

/** The same page on the same day becomes a new version of its file. */
export async function savePage(call: RunToolCall, url: string, page: WebPage): Promise<string> {
  const { invoke, run, idempotencyKey, now } = call
  const day = now.toISOString().slice(0, 10)
  const parentId = await findOrCreateFolder(invoke, run.projectId, FOLDER)
  const text = `${headOf(page, now)}\n\n${page.text}`.slice(0, TEXT_CHARACTERS_MAX).toWellFormed()
  const body = { name: `${nameOf(url)} ${day}.md`, text, parentId, replace: true }
  return (await callEndpoint(call, fileTexts.write, { body, idempotencyKey })).id
}

/** The page's own words stay out of the name, because names from trusted runs are trusted. */
function nameOf(url: string): string {
  const { host, pathname } = new URL(url)
  const path = pathname.replaceAll(/[^a-z0-9]+/gi, '-').replaceAll(/^-+|-+$/g, '')
  return [host.replace(/^www\./, ''), path.slice(0, PATH_CHARACTERS)].filter(Boolean).join(' ')
}

/** YAML, whose strings may be JSON's. */
function headOf({ title, url, author, site, publishedAt }: WebPage, now: Date): string {
  const facts = { title, source: url, author, site, published: publishedAt, read: now.toISOString() }
  const lines = Object.entries(facts).flatMap(([name, value]) =>
    value === '' ? [] : [`${name}: ${JSON.stringify(value)}`],
  )
  return ['---', ...lines, '---'].join('\n')
}
