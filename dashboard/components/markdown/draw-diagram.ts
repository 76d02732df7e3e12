/**
 * Draws Mermaid diagrams in a sandboxed frame without an origin: it can't read this page, cookies or the API, and its own
 * policy blocks requests. What comes back is only ever shown as an image, in which scripts and links don't run.
 */
const FRAME = '/frames/diagram.html'
const SOURCE_UNITS_MAX = 10_000
const PICTURE_UNITS_MAX = 500_000
/** Includes loading the frame. */
const DRAWN_WITHIN_MS = 15_000
/** The frame's memory is freed after this long without a diagram. */
const IDLE_MS = 60_000

export interface Picture {
  svg: string
  width: number
  height: number
}

export type Drawing = Picture | { failed: 'invalid' | 'too_large' | 'timed_out' }

export interface Palette {
  isDark: boolean
  background: string
  text: string
  line: string
  surface: string
  border: string
}

const LATE = Symbol('late')
const RECENT_MAX = 40
const recent = new Map<string, Picture>()
let waiting: Promise<unknown> = Promise.resolve()
let frame: Frame | null = null
let idle: ReturnType<typeof setTimeout> | undefined

export const recentDrawing = (source: string, palette: Palette) => recent.get(keyOf(source, palette)) ?? null

/** One at a time, since they share the frame. */
export function drawDiagram(source: string, palette: Palette): Promise<Drawing> {
  const drawing = waiting.then(() => recentDrawing(source, palette) ?? draw(source, palette))
  waiting = drawing
  return drawing
}

async function draw(source: string, palette: Palette): Promise<Drawing> {
  if (source.length > SOURCE_UNITS_MAX) return { failed: 'too_large' }
  clearTimeout(idle)
  frame ??= openFrame()
  const drawing = await Promise.race([
    frame.loaded.then((request) => request({ source, palette })),
    new Promise<typeof LATE>((resolve) => setTimeout(resolve, DRAWN_WITHIN_MS, LATE)),
  ])
  // A diagram can keep the frame busy forever: the next one gets a new frame.
  if (drawing === LATE) closeFrame()
  else idle = setTimeout(closeFrame, IDLE_MS)
  if (drawing === LATE) return { failed: 'timed_out' }
  if (!isPicture(drawing)) return { failed: 'invalid' }
  if (drawing.svg.length > PICTURE_UNITS_MAX) return { failed: 'too_large' }
  recent.set(keyOf(source, palette), drawing)
  if (recent.size > RECENT_MAX) recent.delete(recent.keys().next().value!)
  return drawing
}

const keyOf = (source: string, { isDark }: Palette) => `${isDark}\n${source}`

/** The frame isn't trusted. */
function isPicture(answer: unknown): answer is Picture {
  const { svg, width, height } = (answer ?? {}) as Partial<Picture>
  const isLength = (value: unknown) => typeof value === 'number' && value > 0 && value < 20_000
  return typeof svg === 'string' && svg.startsWith('<svg') && isLength(width) && isLength(height)
}

type Request = (message: { source: string; palette: Palette }) => Promise<unknown>

interface Frame {
  element: HTMLIFrameElement
  loaded: Promise<Request>
}

function openFrame(): Frame {
  const element = document.createElement('iframe')
  element.setAttribute('sandbox', 'allow-scripts')
  element.src = FRAME
  element.tabIndex = -1
  element.ariaHidden = 'true'
  element.title = 'Diagram'
  // Not `display: none`: text has no size there.
  Object.assign(element.style, {
    position: 'fixed',
    top: '0',
    left: '0',
    width: '800px',
    height: '600px',
    visibility: 'hidden',
    pointerEvents: 'none',
  })
  const loaded = new Promise((resolve) => element.addEventListener('load', resolve, { once: true }))
  document.body.append(element)
  return { element, loaded: loaded.then(() => connect(element)) }
}

function connect(element: HTMLIFrameElement): Request {
  const { port1, port2 } = new MessageChannel()
  // The frame has no origin that could be named.
  element.contentWindow!.postMessage(null, '*', [port2])
  return (message) =>
    new Promise((resolve) => {
      port1.onmessage = ({ data }) => resolve(data)
      port1.postMessage(message)
    })
}

function closeFrame() {
  frame?.element.remove()
  frame = null
}
