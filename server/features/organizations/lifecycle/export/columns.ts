import { dictionary } from '../../../../../contract/dictionary.ts'
import type { TenantTable } from '../../../../database/tenant-tables.ts'

export const NOT_EXPORTED: Record<string, string> = dictionary({
  feedback_changes: 'operator notes, which the organization does not see',
  link_visitors: 'hashed networks that opened a link',
  idempotent_answers: 'stored responses, which may contain secrets that are shown once',
  organization_figures: 'derived from other tables',
  passage_backlog: 'derived from other tables',
  passage_counts: 'derived from other tables',
  passage_embedders: 'derived from other tables',
  passage_embedding_queue: 'derived from other tables',
  passage_embeddings: 'derived from other tables',
  passage_sources: 'derived from other tables',
  passage_vectors: 'derived from other tables',
  passage_terms: 'derived from other tables',
  passages: 'derived from other tables',
  quota_usage: 'derived from other tables',
  search_backlog: 'derived from other tables',
  search_entries: 'derived from other tables',
  webhook_quarters: 'derived from other tables',
})

/** Secrets, or proof of knowing one. */
const SECRET = /(^|_)(hash|sealed|secret|token|password|challenge|verifier)$/

/** Other columns with secrets, such as links for joining. */
const WITHHELD: Record<string, string[]> = dictionary({
  app_tokens: ['successor'],
  calls: ['relay'],
  mails: ['body', 'unsubscribe_url'],
})

const isSecret = ({ name, type }: { name: string; type: string }) =>
  SECRET.test(name) && ['text', 'bytea', 'jsonb'].includes(type)

/** Derived by the database for its indexes. */
const isDerived = ({ type }: { type: string }) => type === 'tsvector'

export const isExported = ({ name }: Pick<TenantTable, 'name'>): boolean => !Object.hasOwn(NOT_EXPORTED, name)

export const withheldColumns = ({ name: table, columns }: Pick<TenantTable, 'name' | 'columns'>): string[] =>
  columns
    .filter((column) => isSecret(column) || WITHHELD[table]?.includes(column.name))
    .map(({ name }) => name)

export function exportedColumns(table: Pick<TenantTable, 'name' | 'columns'>): string[] {
  const withheld = withheldColumns(table)
  return table.columns
    .filter((column) => !isDerived(column) && !withheld.includes(column.name))
    .map(({ name }) => name)
}
