import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../security/ids.ts'
import { shareTestApp, type TestApp } from '../../testing/test-app.ts'

/** The records of a design studio, and the queries that should find them. */
const PROJECTS = [
  'Website relaunch 2027',
  'Annual budget',
  'Kitchen renovation Berlin',
  'Mobile app onboarding',
  'Größenberatung für Kunden',
  'Newsletter',
  'Customer interviews spring',
  'Hiring: senior engineer',
  'Office move',
  'API documentation',
]
const BLOCKS: [string | null, string][] = [
  ['Open questions', 'Who signs the lease for the new warehouse?'],
  [null, 'Colour palette: ochre, teal and off-white'],
  ['Launch checklist', 'DNS records, certificates, redirects, analytics'],
  [null, 'The photographer is available on Thursdays only'],
  ['Persona Marta', 'Runs a bakery, orders flour weekly, hates long forms'],
  ['Budget notes', 'Travel is over plan by 12 percent'],
]
const MEMORIES: [string, string][] = [
  ['deploy.staging_url', 'https://staging.example.com, deployments happen every evening'],
  ['invoice address', 'Musterstraße 12, 10115 Berlin'],
  ['tone of voice', 'Friendly, short sentences, no exclamation marks'],
  ['wifi', 'The guest network is called Heron'],
]
const FILES = [
  'Contract Northwind signed.pdf',
  'invoice-2026-0042.xlsx',
  'Team photo.png',
  'Meeting_Notes_Q3.docx',
  'logo-final-v7.svg',
  'Budget 2027.xlsx',
  'onboarding flow.fig',
]
const MESSAGES: [string, string][] = [
  ['Summarise the interviews', 'Three of five customers asked for dark mode and offline access.'],
  ['Translate the imprint', 'Bitte übersetze das Impressum ins Englische.'],
  ['Refund for order 4711', 'The customer wants a refund because the parcel was damaged.'],
  ['Naming workshop', 'Favourites so far: Lumen, Tessera and Quillwork.'],
]
const AGENTS: [string, string][] = [
  ['Researcher', 'You read sources and cite them.'],
  ['Bookkeeper', 'You reconcile bank statements with invoices.'],
]

/** The query, and the title of the record that must be among the first three results. */
const LABELLED: [string, string][] = [
  // Words of names
  ['annual budget', 'Annual budget'],
  ['newsletter', 'Newsletter'],
  ['budget', 'Annual budget'],
  ['relaunch', 'Website relaunch 2027'],
  ['senior engineer', 'Hiring: senior engineer'],
  ['2027 website', 'Website relaunch 2027'],
  ['northwind', 'Contract Northwind signed.pdf'],
  ['0042', 'invoice-2026-0042.xlsx'],
  ['invoice-2026-0042.xlsx', 'invoice-2026-0042.xlsx'],
  ['meeting notes', 'Meeting_Notes_Q3.docx'],
  ['staging_url', 'deploy.staging_url'],
  ['bookkeeper', 'Bookkeeper'],
  // Beginnings
  ['new', 'Newsletter'],
  ['kitch', 'Kitchen renovation Berlin'],
  ['cust int', 'Customer interviews spring'],
  ['ren', 'Kitchen renovation Berlin'],
  ['api doc', 'API documentation'],
  ['off', 'Office move'],
  ['resea', 'Researcher'],
  // Typing errors
  ['newsleter', 'Newsletter'],
  ['bugdet anual', 'Annual budget'],
  ['webiste', 'Website relaunch 2027'],
  ['renovaton', 'Kitchen renovation Berlin'],
  ['documantation', 'API documentation'],
  ['contrct', 'Contract Northwind signed.pdf'],
  ['onbaording', 'Mobile app onboarding'],
  ['reseracher', 'Researcher'],
  ['intervews', 'Customer interviews spring'],
  // Accents and case
  ['GROSSENBERATUNG', 'Größenberatung für Kunden'],
  ['größenberatung', 'Größenberatung für Kunden'],
  ['musterstrasse', 'invoice address'],
  // Contents
  ['warehouse lease', 'Open questions'],
  ['teal', 'Colour palette: ochre, teal and off-white'],
  ['deployment', 'deploy.staging_url'],
  ['dark mode', 'Summarise the interviews'],
  ['tessera', 'Naming workshop'],
  ['parcel damaged', 'Refund for order 4711'],
  ['ubersetze', 'Translate the imprint'],
  ['"bank statements"', 'Bookkeeper'],
  ['heron', 'wifi'],
  ['flour bakery', 'Persona Marta'],
  ['certificates redirects', 'Launch checklist'],
]

let find: (q: string) => Promise<string[]>
beforeAll(async () => {
  const app: TestApp = await shareTestApp()
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner' })
  const client = await app.withSession(owner)
  const projects = []
  for (const name of PROJECTS) projects.push(await app.project(owner, { name }))
  const { id: projectId, folderId } = projects[0]!
  for (const [title, content] of BLOCKS)
    await client.canvas.create({ projectId, type: 'note', ...(title && { title }), content })
  for (const [key, content] of MEMORIES) await client.memory.create({ key, content })
  for (const [name, prompt] of AGENTS) await client.agents.create({ name, prompt })
  const { sql } = app
  const { items } = await client.agents.list({})
  for (const name of FILES) {
    const id = newId()
    await sql`insert into objects (org_id, key, created_at) values (${org.id}, ${id}, now())`
    await sql`
      insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, object_key, created_by,
        created_at, updated_at)
      values (${org.id}, ${id}, ${folderId}, 'upload', ${name}, ${name}, ${name}, 'image/png', ${id}, ${owner.id}, now(), now())`
  }
  for (const [title, body] of MESSAGES) {
    const id = newId()
    await sql`
      insert into agent_sessions (org_id, id, project_id, agent_id, title, created_at, updated_at, last_message_at)
      values (${org.id}, ${id}, ${projectId}, ${items[0]!.id}, ${title}, now(), now(), now())`
    await sql`
      insert into messages (org_id, session_id, seq, id, role, content, body, trust, created_at)
      values (${org.id}, ${id}, 1, ${newId()}, 'user', '[]', ${body}, 'trusted', now())`
  }
  find = async (q) => (await client.search.find({ q, limit: 3 })).items.map(({ title }) => title)
})

test('the expected record is among the first three results', async () => {
  const missed = []
  for (const [q, title] of LABELLED) {
    const found = await find(q)
    if (!found.includes(title)) missed.push(`${q}: ${found.join(' | ')}`)
  }
  expect(missed).toEqual([])
}, 60_000)

test('a word that no record contains finds nothing', async () => {
  for (const q of ['xylophone', 'zzzz', 'qwertyuiop']) expect(await find(q)).toEqual([])
})
