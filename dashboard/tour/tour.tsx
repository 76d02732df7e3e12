import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Play, X } from 'lucide-react'
import {
  type CSSProperties,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { t } from '../../contract/text.ts'
import { api } from '../api/client.ts'
import { Button } from '../components/button.tsx'
import { toast, toastFailure } from '../components/toast.tsx'
import { type Sample, showTour, useTour } from '../state/tour.ts'
import { rememberStep } from './start-tour.ts'
import { STEPS } from './steps.ts'
import { type Box, boxesOf, cardPosition, POLL_MS, useTargetBox } from './target-box.ts'

/** The element stays usable. Escape or the cross leaves the tour; Home resumes it. */
export function Tour() {
  const tour = useTour()!
  const { sample, index } = tour
  const step = STEPS[index]!
  const { history } = useRouter()
  const titleId = useId()
  const card = useRef<HTMLElement>(null)
  const box = useTargetBox(step.target(sample))
  const style = useCardStyle(card, box, step.keepsClear)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step takes the focus, so that it is read.
  useEffect(() => card.current?.focus(), [index])

  const show = (next: number) => {
    showTour({ sample, index: next })
    rememberStep(next)
    const path = STEPS[next]!.path(sample)
    if (history.location.pathname !== path) history.push(path)
  }
  const leave = () => {
    showTour(null)
    toast(t`You can resume the tour from Home`)
  }
  const finish = () => {
    showTour(null)
    rememberStep('ended')
  }
  const isLast = index === STEPS.length - 1
  return (
    <>
      {box && <Ring box={box} />}
      <section
        ref={card}
        tabIndex={-1}
        role="dialog"
        aria-labelledby={titleId}
        data-keeps-focus
        style={style}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          leave()
        }}
        className="fixed z-40 flex w-full max-w-form animate-appear flex-col gap-8 rounded-panel bg-float p-16 shadow-float outline-none max-sm:inset-x-8 max-sm:bottom-8 max-sm:w-auto"
      >
        <div className="flex items-start gap-8">
          <div className="min-w-0 flex-1">
            <p className="text-12 text-neutral-11 tabular-nums">
              Step {index + 1} of {STEPS.length}
            </p>
            <h2 id={titleId} className="font-strong text-16">
              {step.title}
            </h2>
          </div>
          <Button look="quiet" size="icon" aria-label="Leave tour" title="Leave tour (Esc)" onClick={leave}>
            <X aria-hidden className="icon" />
          </Button>
        </div>
        <p className="text-13 text-neutral-11">{step.text}</p>
        <div className="flex items-center gap-8 pt-8">
          {step.id === 'agent' && <RunAgent sample={sample} />}
          <span className="ml-auto" />
          {index > 0 && (
            <Button look="quiet" onClick={() => show(index - 1)}>
              Back
            </Button>
          )}
          <Button look="primary" onClick={() => (isLast ? finish() : show(index + 1))}>
            {isLast ? t`Finish` : t`Next`}
          </Button>
        </div>
      </section>
    </>
  )
}

/** A keyboard alternative to the block's button. */
function RunAgent({ sample: { projectId, agentBlockId } }: { sample: Sample }) {
  const run = useMutation({
    mutationFn: () => api.agentBlocks.run({ projectId, blockId: agentBlockId! }),
    onError: toastFailure,
  })
  if (!agentBlockId) return null
  return (
    <Button busy={run.isPending} onClick={() => run.mutate()}>
      <Play aria-hidden className="icon" />
      {run.isSuccess ? t`Run again` : t`Run agent`}
    </Button>
  )
}

const RING_GAP = 4

const Ring = ({ box: { left, top, width, height } }: { box: Box }) => (
  <div
    aria-hidden
    style={{
      left: left - RING_GAP,
      top: top - RING_GAP,
      width: width + 2 * RING_GAP,
      height: height + 2 * RING_GAP,
    }}
    className="pointer-events-none fixed z-30 rounded-panel outline-2 outline-selection"
  />
)

const PHONE = '(width < 640px)'
/** Below a phone's bars. */
const PHONE_TOP = 112

/** On a phone, styles place the card at the bottom, unless its element is there. */
function useCardStyle(card: RefObject<HTMLElement | null>, box: Box | null, keepsClear = '') {
  const [style, setStyle] = useState<CSSProperties>()
  useLayoutEffect(() => {
    const { current } = card
    if (!current) return
    const update = () => {
      const next = styleOf({ width: current.offsetWidth, height: current.offsetHeight }, box, keepsClear)
      setStyle((before) => (before?.left === next?.left && before?.top === next?.top ? before : next))
    }
    // The canvas adds and moves blocks without an event.
    const timer = keepsClear ? setInterval(update, POLL_MS) : undefined
    // Runs before the first paint and when the card resizes.
    const sizes = new ResizeObserver(update)
    sizes.observe(current)
    // Without a target element, no other event reports a window resize.
    window.addEventListener('resize', update)
    return () => {
      clearInterval(timer)
      sizes.disconnect()
      window.removeEventListener('resize', update)
    }
  }, [card, box, keepsClear])
  return style
}

function styleOf(
  size: { width: number; height: number },
  box: Box | null,
  keepsClear: string,
): CSSProperties | undefined {
  const screen = { width: innerWidth, height: innerHeight }
  if (!matchMedia(PHONE).matches)
    return cardPosition(box, size, screen, keepsClear ? boxesOf(keepsClear) : [])
  const isBelow = box !== null && box.top > innerHeight / 2
  return isBelow ? { top: PHONE_TOP, bottom: 'auto' } : undefined
}
