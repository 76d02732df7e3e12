import { LOCALE, t } from '../../../../contract/text.ts'
import { toast } from '../../../components/toast.tsx'
import { addBlocks } from '../actions/editing.ts'
import { offsetToCenter } from '../model/duplicate-items.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import type { ExportFormat } from './save-picture.ts'

export const EXPORTS: { format: ExportFormat; label: string }[] = [
  { format: 'png', label: t`Export as PNG` },
  { format: 'svg', label: t`Export as SVG` },
  { format: 'json-canvas', label: t`Export as JSON Canvas` },
]

export async function exportCanvas(canvas: OpenCanvas, format: ExportFormat) {
  try {
    const { saveCanvas } = await import('./save-picture.ts')
    await saveCanvas(canvas, format)
  } catch (error) {
    toast(error instanceof Error ? error.message : t`Export failed`)
  }
}

export function importCanvas(canvas: OpenCanvas) {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = '.canvas,.json,application/json'
  input.onchange = () => {
    const [file] = input.files ?? []
    if (file) void addFile(canvas, file)
  }
  input.click()
}

async function addFile(canvas: OpenCanvas, file: File) {
  try {
    const { parseJsonCanvas } = await import('./json-canvas.ts')
    const { blocks, edges } = parseJsonCanvas(await file.text())
    if (blocks.length === 0) return toast(t`The file has no blocks`)
    const { x, y } = offsetToCenter({ blocks, edges }, canvas.view.center())
    const placedBlocks = blocks.map((block) => ({
      ...block,
      x: Math.round(block.x + x),
      y: Math.round(block.y + y),
    }))
    addBlocks(
      canvas,
      { create: { blocks: placedBlocks, edges } },
      placedBlocks.map(({ id }) => id),
    )
    toast(t`Added ${placedBlocks.length.toLocaleString(LOCALE)} blocks`)
  } catch (error) {
    toast(error instanceof Error ? error.message : t`The file can’t be read`)
  }
}
