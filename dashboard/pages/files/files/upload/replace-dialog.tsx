import { t } from '../../../../../contract/text.ts'
import { type ExistingFile, fileApi } from '../../../../api/files.ts'
import { formatSize } from '../../../../components/amounts.ts'
import { Button } from '../../../../components/button.tsx'
import { Dialog, DialogFooter } from '../../../../components/dialogs/dialog.tsx'
import { Name, withNames } from '../../../../components/name.tsx'
import { Time } from '../../../../components/time.tsx'
import { createStore } from '../../../../state/store.ts'
import { nameLabel } from '../file-labels.ts'
import type { Destination, UploadItem } from './collect-files.ts'

const LISTED_MAX = 5

export function ReplaceDialog({ question: { files, total, answer } }: { question: ReplaceQuestion }) {
  const isSingle = files.length === 1
  return (
    <Dialog
      size="small"
      title={
        isSingle
          ? withNames`${nameLabel(files[0]!.name)} already exists`
          : t`${files.length} files already exist`
      }
      onClose={() => answer('cancel')}
    >
      <div className="flex flex-col gap-16">
        <p className="text-neutral-11">
          {isSingle
            ? t`If you upload a new version, links to the file keep working, and its current content stays under Versions.`
            : t`If you upload new versions, links to the files keep working, and their current content stays under Versions.`}
          {total > files.length && t` The other uploads don’t replace any files.`}
        </p>
        <ul className="flex flex-col gap-4 text-13">
          {files.slice(0, LISTED_MAX).map(({ id, name, size, updatedAt }) => (
            <li key={id} className="flex justify-between gap-12">
              <span className="truncate">
                <Name>{nameLabel(name)}</Name>
              </span>
              <span className="shrink-0 text-neutral-11">
                {formatSize(size)}, <Time at={updatedAt} />
              </span>
            </li>
          ))}
          {files.length > LISTED_MAX && (
            <li className="text-neutral-11">and {files.length - LISTED_MAX} more</li>
          )}
        </ul>
        <DialogFooter>
          <Button look="quiet" className="mr-auto" onClick={() => answer('cancel')}>
            Cancel
          </Button>
          <Button onClick={() => answer('both')}>Keep both</Button>
          <Button look="primary" data-autofocus onClick={() => answer('versions')}>
            {isSingle ? t`New version` : t`New versions`}
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}

/** Names per lookup request. */
const NAMES_MAX = 500

type Answer = 'versions' | 'both' | 'cancel'

/** Open until the user answers. */
interface ReplaceQuestion {
  files: ExistingFile[]
  total: number
  answer: (answer: Answer) => void
}

const question = createStore<ReplaceQuestion | null>(null)
export const useReplaceQuestion = question.use

/** Null if canceled. Later questions wait. */
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

/** Only files with a name no other file, folder or shortcut shares. */
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
