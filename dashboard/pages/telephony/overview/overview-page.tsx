export default function TelephonyPage() { return <p>{document.title}TelephonyPage</p> }
