import { toast } from '../../../components/toast.tsx'
import { existingFolder } from '../../files/upload/destinations.ts'
import { type UploadedFile, uploadDropped, uploadSelected } from '../../files/upload/start-upload.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import type { NewBlock } from '../store/items.ts'
import { inItsGroup } from './editing.ts'
import { newBlock } from './new-block.ts'

const GAP = 24
const IN_A_ROW = 3
/** Pictures that every browser shows. */
const PICTURE = /^image\/(png|jpeg|gif|webp|avif)$/

/** Files go into the folder of the project, and then onto the canvas, where they were dropped. */
export function placeFiles(canvas: OpenCanvas, files: FileList | DataTransfer, at: { x: number; y: number }) {
  const { project, isGuest, store } = canvas
  if (isGuest || !project.folderId) {
    toast('Only members of the organization can add files')
    return
  }
  const into = existingFolder(project.folderId, project.name)
  let placed = 0
  const onDone = (file: UploadedFile) => {
    const block = inItsGroup(canvas, blockFor(file, at, placed++))
    store.change({ create: { blocks: [block] } })
  }
  if (files instanceof FileList) uploadSelected(files, into, onDone)
  else void uploadDropped(files, into, onDone)
}

/** A file that is in the project already. */
export function blockFor(file: UploadedFile, at: { x: number; y: number }, index = 0): NewBlock {
  const type = PICTURE.test(file.mimeType) ? 'image' : 'file'
  const block = newBlock(type, {
    title: file.name.slice(0, 255),
    fileId: file.id,
    metadata: { mimeType: file.mimeType, size: file.size },
  })
  const [column, row] = [index % IN_A_ROW, Math.floor(index / IN_A_ROW)]
  return {
    ...block,
    x: Math.round(at.x - block.width / 2 + column * (320 + GAP)),
    y: Math.round(at.y - block.height / 2 + row * (240 + GAP)),
  }
}
