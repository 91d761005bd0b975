// Written by scripts/database-types.ts from supabase/migrations: change those, and write it again.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

type None = Record<never, never>;

export type Database = {
  public: {
    Tables: None;
    Views: None;
    Functions: {
      admit_request: {
        Args: {
          key_hash: string;
        };
        Returns: Json;
      };
      get_contract: {
        Args: {
          key_hash: string;
          id: string;
        };
        Returns: Json;
      };
      get_funder: {
        Args: {
          key_hash: string;
          id: string;
        };
        Returns: Json;
      };
      get_grant: {
        Args: {
          key_hash: string;
          id: string;
        };
        Returns: Json;
      };
      list_contracts: {
        Args: {
          key_hash: string;
          parameters: Json;
          query_vector?: Json;
        };
        Returns: Json;
      };
      list_funders: {
        Args: {
          key_hash: string;
          parameters: Json;
          query_vector?: Json;
        };
        Returns: Json;
      };
      list_grants: {
        Args: {
          key_hash: string;
          parameters: Json;
          query_vector?: Json;
        };
        Returns: Json;
      };
      record_usage: {
        Args: {
          events: Json;
        };
        Returns: undefined;
      };
      semantic_search: {
        Args: {
          key_hash: string;
          query: string;
          datasets: string[];
          maximum: number;
          query_vector?: Json;
        };
        Returns: Json;
      };
      withdraw_request: {
        Args: {
          key_hash: string;
        };
        Returns: Json;
      };
    };
    Enums: None;
    CompositeTypes: None;
  };
};
