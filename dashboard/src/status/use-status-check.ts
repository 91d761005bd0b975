import { useEffect, useState } from "react";
import { checkStatus, type StatusCheck } from "./check.ts";

/** Time between checks while the page is visible. */
const checkMs = 30_000;

/** Checks the API now, and again every 30 seconds while the page is visible. @returns the last check; undefined until there is one. */
export function useStatusCheck(baseUrl: string): StatusCheck | undefined {
  const [check, setCheck] = useState<StatusCheck>();
  useEffect(() => {
    let isOver = false;
    const run = async () => {
      if (document.visibilityState === "hidden") return;
      const found = await checkStatus(baseUrl);
      if (!isOver) setCheck(found);
    };
    const runNow = () => void run();
    runNow();
    const timer = setInterval(runNow, checkMs);
    document.addEventListener("visibilitychange", runNow);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", runNow);
    };
  }, [baseUrl]);
  return check;
}
