import type { ContractTopic } from "./topic.ts";

/** Meals, groceries, furniture. */
export const provisionTopics: readonly ContractTopic[] = [
  {
    key: "food-service",
    naics: "722310",
    categories: ["Food Services"],
    value: [50_000, 8_000_000],
    buyers: ["NAVY", "USAF", "ETA", "BIA", "VA", "BOP", "USDA-FS", "state DHS", "state BHA", "state DOE"],
    delivery: "service",
    works: ["cafeteria and food services", "dining hall operation", "meal preparation and food services"],
    needs: [
      "About {count} people are served three meals a day.",
      "The dining hall must offer healthy and culturally familiar choices.",
    ],
    tasks: [
      "plan menus with a dietitian",
      "cook and serve meals",
      "meet special diets and allergies",
      "clean the kitchen and dining room",
      "buy local produce when it is in season",
      "keep food at safe temperatures",
    ],
    requirements: [
      "Kitchen managers must hold a food safety certificate.",
      "The contractor must pass unannounced health inspections.",
      "Prices per meal must hold for a year.",
    ],
  },
  {
    key: "groceries",
    naics: "424410",
    categories: ["Food Services", "Equipment and Supplies"],
    value: [20_000, 3_000_000],
    buyers: ["BOP", "USDA-FNS", "BIA", "ETA", "USCG", "state DHS", "state BHA", "FEMA"],
    delivery: "supplies",
    works: ["groceries and dry goods", "frozen and canned foods", "shelf-stable emergency meals"],
    needs: [
      "Food is needed for the coming quarter.",
      "The warehouse must hold enough for two weeks in case roads close.",
    ],
    tasks: [
      "deliver food twice a month",
      "keep frozen goods frozen",
      "replace short-dated items",
      "label allergens",
      "stack pallets in the storeroom",
      "credit returned goods",
    ],
    requirements: [
      "Products must be grown or made in the United States where available.",
      "Bids are judged line by line, and partial bids are welcome.",
      "Deliveries must arrive on weekdays before noon.",
    ],
  },
  {
    key: "furniture",
    naics: "337214",
    categories: ["Equipment and Supplies"],
    value: [15_000, 1_500_000],
    delivery: "supplies",
    works: ["office furniture", "desks and ergonomic chairs", "systems furniture and installation"],
    needs: [
      "The office is moving to a smaller floor with shared desks.",
      "Existing chairs and workstations are worn and cannot be adjusted.",
    ],
    tasks: [
      "measure the space and draw a plan",
      "deliver and assemble furniture",
      "install panels and power",
      "remove and recycle old furniture",
      "correct defects within ten days",
      "show staff how to adjust chairs",
    ],
    requirements: [
      "Height-adjustable desks are required.",
      "Finishes must match the existing furniture.",
      "All pieces must carry a ten-year warranty.",
    ],
  },
];
