import { type ExistingFile, fileApi } from '../../../api/files/files.ts'
import { createStore } from '../../../state/store.ts'
import type { UploadItem } from './collect-files.ts'
import type { Destination } from './destinations.ts'

/** Names that one request looks up. */
const NAMES_MAX = 500

export type Answer = 'versions' | 'both' | 'cancel'

/** Files of the folder that have the names of an upload, until the user has chosen an action. */
export interface Question {
  files: ExistingFile[]
  /** How many files are uploaded in total. */
  total: number
  answer: (answer: Answer) => void
}

const question = createStore<Question | null>(null)
export const useQuestion = question.use

/** Asks whether files whose names exist become new versions; null if the person cancels. Later questions wait. */
export async function withVersions(items: UploadItem[], into: Destination): Promise<UploadItem[] | null> {
  const direct = items.filter((item) => item.file && item.destination === into)
  // A failure here repeats in the upload, which shows the reason.
  const files = await findReplaceable(direct, into).catch(() => [])
  if (files.length === 0) return items
  const answer = await ask(files, items.length)
  if (answer === 'cancel') return null
  if (answer === 'both') return items
  const ids = new Map(files.map(({ name, id }) => [name, id]))
  return items.map((item) => {
    const id = item.file && item.destination === into ? ids.get(item.file.name) : undefined
    return item.file && id ? { ...item, replaces: id } : item
  })
}

/** A file becomes a version only where its name is that of one file, and of no folder or shortcut. */
async function findReplaceable(items: UploadItem[], into: Destination): Promise<ExistingFile[]> {
  const names = [...new Set(items.map((item) => item.file!.name))]
  if (names.length === 0) return []
  const parentId = await into.id()
  const found: ExistingFile[] = []
  for (let at = 0; at < names.length; at += NAMES_MAX)
    found.push(
      ...(await fileApi.fileVersions.find({ parentId, names: names.slice(at, at + NAMES_MAX) })).items,
    )
  const counts = Map.groupBy(found, ({ name }) => name)
  return found.filter(({ name, source }) => source === 'upload' && counts.get(name)!.length === 1)
}

let asked: Promise<unknown> = Promise.resolve()

function ask(files: ExistingFile[], total: number): Promise<Answer> {
  const next = asked.then(
    () =>
      new Promise<Answer>((resolve) => {
        question.set({
          files,
          total,
          answer: (answer) => {
            question.set(null)
            resolve(answer)
          },
        })
      }),
  )
  asked = next
  return next
}
