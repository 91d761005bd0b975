import { useState } from "react";
import { Card } from "../components/card.tsx";
import { Choice } from "../components/choice.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { type VerifyLanguage, verifyCode, verifyLanguages } from "./verify-code.ts";

/** Code for the receiver, which verifies what arrives. */
export function Verify() {
  const [language, setLanguage] = useState<VerifyLanguage>("typescript");
  const name = verifyLanguages.find(({ value }) => value === language)?.name;
  return (
    <Card
      title="Verifying deliveries"
      description="Every delivery is signed with the webhook’s secret. Refuse what this code refuses: it does not come from us."
      actions={<Choice label="Language" value={language} options={verifyLanguages} onChange={setLanguage} />}
    >
      <CodeBlock label={`verification in ${name}`} text={verifyCode[language]} />
    </Card>
  );
}
