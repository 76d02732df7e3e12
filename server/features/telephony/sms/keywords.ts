export type Keyword = 'stop' | 'start' | 'help'

/**
 * The words with which a recipient opts out, opts in again and asks for help. The English ones are those that carriers in
 * the United States require, ARRET and AIDE those of Canada; the others are the usual ones of their languages.
 */
const WORDS: Readonly<Record<Keyword, string>> = {
  stop: `STOP STOPALL UNSUBSCRIBE CANCEL END QUIT REVOKE OPTOUT REMOVE
    ARRET ARRETE ARRETER ARRETT DESABONNER DESINSCRIRE STOPP ABMELDEN ABBESTELLEN AFMELDEN AVSLUTA AFMELD
    BAJA ALTO CANCELAR DETENER PARAR PARE SAIR SALIR DISISCRIVI ANNULLA СТОП ΣΤΟΠ 停止 退订 配信停止`,
  start: 'START YES UNSTOP OPTIN COMMENCER DEBUT ALTA INICIAR COMENZAR',
  help: 'HELP INFO AIDE HILFE AYUDA AJUDA AIUTO',
}

const BY_WORD = new Map(
  (Object.entries(WORDS) as [Keyword, string][]).flatMap(([keyword, words]) =>
    words.split(/\s+/).map((word): [string, Keyword] => [word, keyword]),
  ),
)

/** The keyword that a message consists of. A word inside a sentence is none: “please stop by” is a message. */
export const keywordOf = (body: string): Keyword | null => BY_WORD.get(normalized(body)) ?? null

/** Without case, accents, spaces, hyphens, quotes and final punctuation: “Stop.”, “opt out” and “ARRÊT” are keywords. */
const normalized = (body: string): string =>
  body
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\s\p{Pd}]/gu, '')
    .replace(/^["'“”„‘’«»]+|["'“”„‘’«».!?。！]+$/gu, '')
    .toUpperCase()
