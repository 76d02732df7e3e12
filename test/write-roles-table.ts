import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolesTable } from './roles-table.ts'

export const SECURITY_FILE = join(import.meta.dirname, '../SECURITY.md')

const BEGIN = '<!-- roles: npm run roles writes this table -->'
const END = '<!-- end of the roles -->'

/** The document with the table of the contract between its two marks. */
export const withRolesTable = (document: string): string =>
  document.replace(new RegExp(`${BEGIN}[^]*${END}`), () => `${BEGIN}\n\n${rolesTable()}\n\n${END}`)

if (import.meta.main) writeFileSync(SECURITY_FILE, withRolesTable(readFileSync(SECURITY_FILE, 'utf8')))
