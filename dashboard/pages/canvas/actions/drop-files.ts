import { t } from '../../../../contract/text.ts'
import { toast } from '../../../components/toast.tsx'
import { existingFolder } from '../../files/files/upload/collect-files.ts'
import { type UploadedFile, uploadDropped, uploadSelected } from '../../files/files/upload/start-upload.ts'
import { bringToFront, moveToFreePosition } from '../model/arrange.ts'
import { newBlock } from '../model/new-block.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import type { NewBlock } from '../store/items.ts'
import { withParentGroup } from './editing.ts'

const GAP = 24
const COLUMNS = 3
/** Fits a default file block or image block. */
const CELL = { width: 320, height: 240 }
/** Supported in every browser. */
const IMAGE_TYPE = /^image\/(png|jpeg|gif|webp|avif)$/

export function dropFiles(canvas: OpenCanvas, files: FileList | DataTransfer, at: { x: number; y: number }) {
  const { project, isGuest, store } = canvas
  if (isGuest || !project.folderId) {
    toast(t`Only members can add files`)
    return
  }
  const destination = existingFolder(project.folderId, project.name)
  let placedCount = 0
  const onDone = (file: UploadedFile) => {
    const free = moveToFreePosition(fileBlock(file, at, placedCount++), store.items.blocks.values())
    const block = withParentGroup(canvas, free)
    store.change({ create: { blocks: bringToFront([block], store.items.blocks.values()) } })
  }
  if (files instanceof FileList) uploadSelected(files, destination, onDone)
  else void uploadDropped(files, destination, onDone)
}

export function fileBlock(file: UploadedFile, at: { x: number; y: number }, index = 0): NewBlock {
  const type = IMAGE_TYPE.test(file.mimeType) ? 'image' : 'file'
  const block = newBlock(type, {
    title: file.name.slice(0, 255),
    fileId: file.id,
    metadata: { mimeType: file.mimeType, size: file.size },
  })
  const [column, row] = [index % COLUMNS, Math.floor(index / COLUMNS)]
  return {
    ...block,
    x: Math.round(at.x - block.width / 2 + column * (CELL.width + GAP)),
    y: Math.round(at.y - block.height / 2 + row * (CELL.height + GAP)),
  }
}
