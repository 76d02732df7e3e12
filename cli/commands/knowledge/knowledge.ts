import type { Command } from 'commander'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { PASSAGE_SOURCES } from '../../../contract/knowledge/passage-options.ts'
import { passages } from '../../../contract/knowledge/passages.ts'
import { command, parseLimit } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { parseChoice } from '../../parse.ts'
import { print, printData, printMessage, sanitize, sanitizeLines, style } from '../../terminal.ts'
import { findProject } from '../projects/projects/find.ts'

const LIMIT = 5

export function addKnowledgeCommands(program: Command, environment: CliEnvironment): void {
  const knowledge = program
    .command('knowledge')
    .description('Find passages in files, notes, memories and pinned conversations')
    .addHelpText(
      'after',
      '\nExample:\n  npx atrium knowledge search "How much notice do tenants give?" --project lease\n',
    )
    .exitOverride()
  command(knowledge, 'search <question>', 'Show the passages that agents find for a question')
    .option('--project <project>', 'only in this project (slug, id or name)')
    .option('--in <id...>', 'only in these projects, folders and files')
    .option('--type <type...>', PASSAGE_SOURCES.join(', '))
    .option('--explain', 'show the parts of each score')
    .option('--limit <count>', 'passages, 1 to 50', parseLimit, LIMIT)
    .action((question, options) => searchPassages(question, options, environment))
}

type Fusion = NonNullable<OutputOf<typeof passages.search>['items'][number]['fusion']>

interface SearchOptions {
  server?: string
  json?: boolean
  project?: string
  in?: string[]
  type?: string[]
  explain?: boolean
  limit: number
}

async function searchPassages(q: string, options: SearchOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const projectId = options.project && (await findProject(connection, options.project)).id
  const types = options.type?.map((type) => parseChoice('type', PASSAGE_SOURCES, type)).join(',')
  const call = client.passages.search({
    q,
    projectId,
    within: options.in?.join(','),
    types,
    limit: options.limit,
    explain: options.explain ? 'true' : 'false',
  })
  const found = await parseResponse(server, passages.search, call)
  if (options.json) return printData(found)
  if (found.items.length === 0) printMessage('No passage matches')
  for (const { source, page, heading, text, score, url, parts, fusion } of found.items) {
    const place = [page === null ? '' : `page ${page}`, heading ?? ''].filter(Boolean).join(', ')
    print(`${style('bold', sanitize(source.name), process.stdout)}  ${sanitize(place)}`)
    print(sanitizeLines(text.trim()).replaceAll(/^/gm, '  '))
    const reasons = [...(fusion ? [placesText(fusion)] : []), ...(parts ? [partsText(parts)] : [])].filter(
      Boolean,
    )
    print(`  ${score.toFixed(2)}${parts ? ` (${reasons.join('; ')})` : ''}  ${sanitize(url)}`)
  }
}

const placesText = ({ words, meaning }: Fusion) =>
  [
    ...(words ? [`place ${words.rank} by words`] : []),
    ...(meaning ? [`place ${meaning.rank} by similarity ${meaning.similarity.toFixed(2)}`] : []),
  ].join(', ')

const partsText = (parts: object) =>
  Object.entries(parts)
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => `${name} ${(value as number).toFixed(2)}`)
    .join(', ')
