import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

const DEBOUNCE_MS = 200

export function useSearchInput(urlValue: string, name = 'q') {
  const navigate = useNavigate()
  const [typed, setTyped] = useState(urlValue)
  const lastUrlValue = useRef(urlValue)
  useEffect(() => {
    // The URL changed by other means, e.g. the back button.
    if (urlValue !== lastUrlValue.current) {
      lastUrlValue.current = urlValue
      setTyped(urlValue)
    }
  }, [urlValue])
  useEffect(() => {
    if (typed === lastUrlValue.current) return
    const timer = setTimeout(() => {
      lastUrlValue.current = typed
      void navigate({
        to: '.',
        search: (current) => ({ ...current, [name]: typed.trim() ? typed : undefined }),
        replace: true,
      })
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed, navigate, name])
  return { typed, setTyped }
}
