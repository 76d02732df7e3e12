import { useEffect, useState } from 'react'
import { openPdf, type PDFDocumentProxy } from './open-pdf.ts'

type PdfState =
  | { state: 'loading' }
  | { state: 'ready'; document: PDFDocumentProxy }
  | { state: 'failed'; reason: string }

/** The document at this URL; closed when the component unmounts. */
export function usePdf(url: string): PdfState {
  const [pdf, setPdf] = useState<PdfState>({ state: 'loading' })
  useEffect(() => {
    const controller = new AbortController()
    openPdf(url, controller.signal).then(
      (document) => setPdf({ state: 'ready', document }),
      (error: unknown) => {
        if (!controller.signal.aborted) setPdf({ state: 'failed', reason: reasonOf(error) })
      },
    )
    return () => controller.abort()
  }, [url])
  return pdf
}

const REASONS: Record<string, string> = {
  PasswordException: 'This PDF is protected with a password.',
  InvalidPDFException: 'This PDF is damaged.',
}

const reasonOf = (error: unknown) =>
  REASONS[(error as Error | null)?.name ?? ''] ?? 'The pages of this PDF can’t be displayed.'
