import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogFooter } from '../../../components/dialogs/dialog.tsx'
import { useBlock, useCanvas } from '../canvas-context.ts'
import { type Crop, dragCrop, type Handle, isWhole, readCrop, WHOLE } from '../model/crop.ts'
import type { Block } from '../store/items.ts'
import { useBlockImage } from './block-image.ts'

const CAPTION = 32
const STEP = 0.01
const CORNERS: { handle: Handle; label: string; className: string }[] = [
  { handle: 'nw', label: t`Top left corner`, className: 'top-0 left-0 cursor-nwse-resize' },
  { handle: 'ne', label: t`Top right corner`, className: 'top-0 left-full cursor-nesw-resize' },
  { handle: 'sw', label: t`Bottom left corner`, className: 'top-full left-0 cursor-nesw-resize' },
  { handle: 'se', label: t`Bottom right corner`, className: 'top-full left-full cursor-nwse-resize' },
]
const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export default function CropDialog({ blockId }: { blockId: string }) {
  const block = useBlock(blockId)
  const { ui } = useCanvas()
  const close = () => ui.cropping.set(null)
  if (!block) return null
  return (
    <Dialog title="Crop image" size="wide" onClose={close}>
      <Cropper block={block} onClose={close} />
    </Dialog>
  )
}

function Cropper({ block, onClose }: { block: Block; onClose: () => void }) {
  const { store } = useCanvas()
  const { url } = useBlockImage(block, true)
  const image = useRef<HTMLImageElement>(null)
  const [crop, setCrop] = useState(() => readCrop(block))
  const [size, setSize] = useState<{ width: number; height: number }>()
  const [drag, setDrag] = useState<{ handle: Handle; x: number; y: number; from: Crop }>()

  const begin = (handle: Handle) => (event: PointerEvent<HTMLElement>) => {
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ handle, x: event.clientX, y: event.clientY, from: crop })
  }
  const move = (event: PointerEvent) => {
    const box = image.current?.getBoundingClientRect()
    if (!drag || !box) return
    const [dx, dy] = [(event.clientX - drag.x) / box.width, (event.clientY - drag.y) / box.height]
    setCrop(dragCrop(drag.from, drag.handle, dx, dy))
  }
  const onKey = (handle: Handle) => (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key]
    if (!arrow) return
    event.preventDefault()
    event.stopPropagation()
    const step = event.shiftKey ? 10 * STEP : STEP
    setCrop(dragCrop(crop, handle, arrow[0] * step, arrow[1] * step))
  }
  const apply = () => {
    const { crop: _previous, ...metadata } = block.metadata
    const { naturalWidth = 0, naturalHeight = 0 } = image.current ?? {}
    const ratio = (crop.height * naturalHeight) / (crop.width * naturalWidth || 1)
    const height = Math.max(1, Math.round(block.width * ratio)) + (block.title ? CAPTION : 0)
    store.change({
      update: {
        blocks: [
          {
            id: block.id,
            metadata: isWhole(crop) ? metadata : { ...metadata, crop },
            ...(ratio > 0 && { height }),
          },
        ],
      },
    })
    onClose()
  }
  const percent = (value: number) => `${Math.round(value * 100)}%`
  const position = {
    left: percent(crop.x),
    top: percent(crop.y),
    width: percent(crop.width),
    height: percent(crop.height),
  }
  return (
    <>
      <div
        onPointerMove={move}
        onPointerUp={() => setDrag(undefined)}
        className="flex touch-none select-none justify-center overflow-hidden rounded-control bg-neutral-3 p-16"
      >
        <div className="relative w-fit">
          {url && (
            <img
              ref={image}
              src={url}
              alt={block.title ?? ''}
              draggable={false}
              onLoad={({ currentTarget }) => setSize(fittedSize(currentTarget))}
              className="block max-w-full"
              style={size}
            />
          )}
          <div
            onPointerDown={begin('move')}
            className="canvas-crop absolute cursor-move outline-2 outline-selection outline-solid"
            style={{
              left: `${crop.x * 100}%`,
              top: `${crop.y * 100}%`,
              width: `${crop.width * 100}%`,
              height: `${crop.height * 100}%`,
            }}
          >
            {CORNERS.map(({ handle, label, className }, index) => (
              <button
                key={handle}
                type="button"
                aria-label={t`${label}: move with the arrow keys`}
                {...(index === 0 && { 'data-autofocus': true })}
                onPointerDown={begin(handle)}
                onKeyDown={onKey(handle)}
                className={`absolute size-16 -translate-x-1/2 -translate-y-1/2 rounded-control border-2 border-selection bg-card after:absolute after:-inset-12 ${className}`}
              />
            ))}
          </div>
        </div>
      </div>
      <p role="status" className="py-12 text-13 text-neutral-11 tabular-nums">
        {isWhole(crop)
          ? t`The whole image is shown.`
          : t`From ${position.left}, ${position.top}: ${position.width} wide, ${position.height} high. The file doesn’t change.`}
      </p>
      <DialogFooter>
        <Button look="quiet" disabled={isWhole(crop)} onClick={() => setCrop(WHOLE)}>
          Reset
        </Button>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" onClick={apply}>
          Crop
        </Button>
      </DialogFooter>
    </>
  )
}

function fittedSize({ naturalWidth, naturalHeight }: HTMLImageElement) {
  const available = { width: Math.min(560, innerWidth - 96), height: innerHeight * 0.45 }
  const scale = Math.min(available.width / naturalWidth, available.height / naturalHeight)
  return { width: Math.round(naturalWidth * scale), height: Math.round(naturalHeight * scale) }
}
