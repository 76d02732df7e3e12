import { type ExistingFile, fileApi } from '../../../../api/files/files.ts'
import { createStore } from '../../../../state/store.ts'
import type { UploadItem } from './collect-files.ts'
import type { Destination } from './destinations.ts'

/** Names that one request looks up. */
const NAMES_MAX = 500

export type Answer = 'versions' | 'both' | 'cancel'

/** The files of the folder that have the names of uploads. Open until the user answers. */
export interface ReplaceQuestion {
  files: ExistingFile[]
  /** How many files are uploaded in total. */
  total: number
  answer: (answer: Answer) => void
}

const question = createStore<ReplaceQuestion | null>(null)
export const useReplaceQuestion = question.use

/** Asks whether files whose names exist become new versions; null if the person cancels. Later questions wait. */
export async function chooseVersions(items: UploadItem[], into: Destination): Promise<UploadItem[] | null> {
  const directItems = items.filter((item) => item.file && item.destination === into)
  // If the lookup fails, the upload fails for the same reason and shows the error.
  const files = await findReplaceable(directItems, into).catch(() => [])
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

/** The existing files that can get a new version: no other file, folder or shortcut has the same name. */
async function findReplaceable(items: UploadItem[], into: Destination): Promise<ExistingFile[]> {
  const names = [...new Set(items.map((item) => item.file!.name))]
  if (names.length === 0) return []
  const parentId = await into.id()
  const existingFiles: ExistingFile[] = []
  for (let at = 0; at < names.length; at += NAMES_MAX)
    existingFiles.push(
      ...(await fileApi.fileVersions.find({ parentId, names: names.slice(at, at + NAMES_MAX) })).items,
    )
  const byName = Map.groupBy(existingFiles, ({ name }) => name)
  return existingFiles.filter(({ name, source }) => source === 'upload' && byName.get(name)!.length === 1)
}

let lastQuestion: Promise<unknown> = Promise.resolve()

function ask(files: ExistingFile[], total: number): Promise<Answer> {
  const next = lastQuestion.then(
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
  lastQuestion = next
  return next
}
