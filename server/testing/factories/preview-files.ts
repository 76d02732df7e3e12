import { Readable } from 'node:stream'
import { sha256 } from '../../security/digest.ts'
import { newId } from '../../security/ids.ts'
import { randomHex } from '../../security/random.ts'
import type { TestApp } from '../test-app.ts'
import { type RawEntry, rawZip } from './raw-zip.ts'

export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

type Owner = Pick<Awaited<ReturnType<TestApp['newUser']>>, 'org' | 'person'>

interface FileOptions {
  name: string
  mimeType: string
  bytes: Uint8Array | string
}

/** Bypasses the upload routes to allow types and content they refuse. */
export async function createPreviewFile(app: TestApp, { org, person }: Owner, options: FileOptions) {
  const bytes = Buffer.from(options.bytes as Uint8Array)
  const id = newId()
  const key = `${org.id}/${randomHex(16)}`
  const { objects, now } = app.app.system()
  await app.sql`insert into objects (org_id, key, stored_at, created_at) values (${org.id}, ${key}, ${now()}, ${now()})`
  await objects.put(key, Readable.from(bytes.length > 0 ? [bytes] : []))
  await app.sql`
    insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, size, object_key, sha256,
      created_by, created_at, updated_at)
    values (${org.id}, ${id}, ${org.id}, 'upload', ${options.name}, ${options.name}, ${options.name},
      ${options.mimeType}, ${bytes.length}, ${key}, ${sha256(bytes)}, ${person.id}, ${now()}, ${now()})`
  return { id, key }
}

export async function createPreviewEntry(app: TestApp, { org, person }: Owner, targetId: string | null) {
  const id = newId()
  const { now } = app.app.system()
  if (targetId === null)
    await app.sql`insert into folders (org_id, id, parent_id, path) values (${org.id}, ${id}, ${org.id}, ${[org.id, id]})`
  await app.sql`
    insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, target_id, created_by,
      created_at, updated_at)
    values (${org.id}, ${id}, ${org.id}, ${targetId ? 'link' : 'folder'}, 'entry', 'entry', 'entry',
      'inode/directory', ${targetId}, ${person.id}, ${now()}, ${now()})`
  return { id }
}

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006'
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

interface DocxOptions {
  relationships?: string
  parts?: RawEntry[]
}

export function createDocx(body: string, { relationships = '', parts = [] }: DocxOptions = {}): Buffer {
  return rawZip([
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="svg" ContentType="image/svg+xml"/><Override PartName="/word/document.xml" ContentType="${DOCX}.main+xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      content: `<Relationships xmlns="${RELATIONSHIPS}"><Relationship Id="rId1" Type="${OFFICE}/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    },
    {
      name: 'word/_rels/document.xml.rels',
      content: `<Relationships xmlns="${RELATIONSHIPS}">${relationships}</Relationships>`,
    },
    {
      name: 'word/document.xml',
      content: `<w:document xmlns:w="${WORD}" xmlns:r="${OFFICE}/relationships" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body>${body}</w:body></w:document>`,
    },
    ...parts,
  ])
}

export const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`

export const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'

/** Each slide is the content of its shape tree; `slide2.xml` comes first if `order` says so. */
export function createPptx(
  slides: string[],
  { order = slides.map((_, index) => index + 1), relationships = '', parts = [] as RawEntry[] } = {},
): Buffer {
  return rawZip([
    {
      name: 'ppt/presentation.xml',
      content: `<p:presentation><p:sldIdLst>${order.map((n) => `<p:sldId id="${255 + n}" r:id="rId${n}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      content: `<Relationships xmlns="${RELATIONSHIPS}">${slides.map((_, index) => `<Relationship Id="rId${index + 1}" Type="slide" Target="slides/slide${index + 1}.xml"/>`).join('')}</Relationships>`,
    },
    ...slides.flatMap((content, index) => [
      {
        name: `ppt/slides/slide${index + 1}.xml`,
        content: content.startsWith('<p:sld')
          ? content
          : `<p:sld><p:cSld><p:spTree>${content}</p:spTree></p:cSld></p:sld>`,
      },
      {
        name: `ppt/slides/_rels/slide${index + 1}.xml.rels`,
        content: `<Relationships xmlns="${RELATIONSHIPS}">${relationships}</Relationships>`,
      },
    ]),
    ...parts,
  ])
}
