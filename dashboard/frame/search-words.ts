import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

const PAUSE_MS = 200

/** What is being typed, put into the address when the typing pauses. */
export function useSearchInput(inAddress: string, name = 'q') {
  const navigate = useNavigate()
  const [typed, setTyped] = useState(inAddress)
  const sent = useRef(inAddress)
  useEffect(() => {
    // The address changed by other means, such as the way back: it is right.
    if (inAddress !== sent.current) {
      sent.current = inAddress
      setTyped(inAddress)
    }
  }, [inAddress])
  useEffect(() => {
    if (typed === sent.current) return
    const timer = setTimeout(() => {
      sent.current = typed
      void navigate({
        to: '.',
        search: (now) => ({ ...now, [name]: typed.trim() ? typed : undefined }),
        replace: true,
      })
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, navigate, name])
  return { typed, setTyped }
}
